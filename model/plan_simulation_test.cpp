// Plans carried out message by message over sets of coordinates, against the closed forms of the
// ledger and the rules of ownership. Every element carries how many partials are in it, so that a
// schedule that forgets one, or counts one twice, is seen here.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include "ledger.h"
#include "plan_rules.h"

namespace shardcheck::model {
namespace {

using Coordinate = std::pair<std::int64_t, std::int64_t>;
/// By element held: how many partials over the axis at work it contains.
using Held = std::map<Coordinate, int>;
using Pair = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  ///< phase, source, destination

struct World {
  std::map<Pair, std::int64_t> bytes;
  std::int64_t phase = 0;

  /// What the destination then has in hand.
  Held send(std::int64_t source, std::int64_t destination, const Held& elements,
            std::int64_t width) {
    if (source != destination && !elements.empty()) {
      bytes[{phase, source, destination}] += static_cast<std::int64_t>(elements.size()) * width;
    }
    return elements;
  }
};

std::vector<Coordinate> coordinates_of(const Shard& shard) {
  std::vector<Coordinate> result;
  for (const std::int64_t row : shard.rows) {
    for (const std::int64_t column : shard.columns) result.emplace_back(row, column);
  }
  return result;
}

Held held(const std::vector<Coordinate>& coordinates, int partials) {
  Held result;
  for (const Coordinate& coordinate : coordinates) result[coordinate] = partials;
  return result;
}

Held added(Held sum, const Held& other) {
  for (const auto& [coordinate, partials] : other) sum[coordinate] += partials;
  return sum;
}

using Blocks = std::vector<std::vector<Coordinate>>;

/// Every member starts with one partial of each element; member m ends with block m, whole.
std::vector<Held> reduce_scatter(World& world, const std::vector<std::int64_t>& members,
                                 const Blocks& blocks, Algorithm algorithm, std::int64_t width) {
  const std::size_t count = members.size();
  std::vector<Held> sums(count);
  if (algorithm == Algorithm::direct) {
    for (std::size_t b = 0; b < count; ++b) {
      for (std::size_t m = 0; m < count; ++m) {
        sums[b] = added(sums[b], world.send(members[m], members[b], held(blocks[b], 1), width));
      }
    }
    return sums;
  }
  // Block b sets out from b + 1 and comes home to b; each member adds its own partial.
  for (std::size_t b = 0; b < count; ++b) {
    Held running = held(blocks[b], 1);
    for (std::size_t hop = 1; hop < count; ++hop) {
      running =
          world.send(members[(b + hop) % count], members[(b + hop + 1) % count], running, width);
      running = added(running, held(blocks[b], 1));
    }
    sums[b] = running;
  }
  return sums;
}

/// Member m starts with its own; all end with all.
Held all_gather(World& world, const std::vector<std::int64_t>& members,
                const std::vector<Held>& own, Algorithm algorithm, std::int64_t width) {
  const std::size_t count = members.size();
  Held all;
  for (std::size_t b = 0; b < count; ++b) {
    all = added(all, own[b]);
    for (std::size_t hop = 0; hop + 1 < count; ++hop) {
      const std::size_t other = (b + hop + 1) % count;
      const std::size_t from = algorithm == Algorithm::direct ? b : (b + hop) % count;
      world.send(members[from], members[other], own[b], width);
    }
  }
  return all;
}

const TensorState& at(const PlanState& state, Tensor tensor) {
  if (tensor == Tensor::a) return state.a;
  return tensor == Tensor::b ? state.b : *state.c;
}

bool is_in(const std::vector<int>& list, int axis) {
  return std::find(list.begin(), list.end(), axis) != list.end();
}

std::int64_t width_of(const Case& subject, Tensor tensor, const TensorState& after) {
  if (tensor != Tensor::c) return info(subject.dtypes.in).bytes;
  for (const int axis : after.partial_over) {
    if (!is_in(subject.c.partial_over, axis)) return info(subject.dtypes.wire).bytes;
  }
  return info(subject.dtypes.out).bytes;
}

void simulate_collective(const Case& subject, World& world, const Step& step,
                         const TensorState& before, const TensorState& after) {
  const std::int64_t wire = info(subject.dtypes.wire).bytes;
  const std::int64_t width = width_of(subject, step.tensor, after);
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    const auto members = group(subject.mesh, rank, step.mesh_axis);
    if (members.front() != rank) continue;
    const auto count = static_cast<int>(members.size());
    Blocks blocks;
    std::vector<Held> own;
    for (const std::int64_t member : members) {
      blocks.push_back(coordinates_of(after.shards[static_cast<std::size_t>(member)]));
      own.push_back(held(coordinates_of(before.shards[static_cast<std::size_t>(member)]), count));
    }
    std::vector<Held> results;
    if (step.kind == Step::Kind::reduce_scatter) {
      results = reduce_scatter(world, members, blocks,
                               algorithm_of(subject, Collective::reduce_scatter), wire);
    } else if (step.kind == Step::Kind::gather) {
      results.assign(
          members.size(),
          all_gather(world, members, own, algorithm_of(subject, Collective::all_gather), width));
    } else {
      const std::vector<Coordinate> all =
          coordinates_of(before.shards[static_cast<std::size_t>(rank)]);
      Blocks pieces(members.size());
      const auto cut = parts(Split{}, static_cast<std::int64_t>(all.size()), {count});
      for (std::size_t b = 0; b < cut.size(); ++b) {
        for (const std::int64_t position : cut[b]) {
          pieces[b].push_back(all[static_cast<std::size_t>(position)]);
        }
      }
      const Algorithm algorithm = algorithm_of(subject, Collective::all_reduce);
      results.assign(
          members.size(),
          all_gather(world, members, reduce_scatter(world, members, pieces, algorithm, wire),
                     algorithm, width));
    }
    for (std::size_t m = 0; m < members.size(); ++m) {
      // Every element that the rules give the member has come, with every partial in it, once.
      ASSERT_EQ(results[m], held(blocks[m], count)) << "member " << m;
    }
  }
}

void simulate_exchange(const Case& subject, World& world, const Step& step,
                       const TensorState& before, const TensorState& after) {
  const std::int64_t ranks = rank_count(subject.mesh);
  std::vector<Held> holdings;
  for (const Shard& shard : before.shards) holdings.push_back(held(coordinates_of(shard), 1));
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    for (const Coordinate& wanted : coordinates_of(after.shards[static_cast<std::size_t>(rank)])) {
      std::vector<std::int64_t> senders;
      for (std::int64_t other = 0; other < ranks; ++other) {
        bool is_near = holdings[static_cast<std::size_t>(other)].count(wanted) != 0;
        for (int x = 0; x < static_cast<int>(subject.mesh.axes.size()); ++x) {
          const auto axis = static_cast<std::size_t>(x);
          const bool may_differ = is_in(before.rows_over, x) || is_in(before.columns_over, x);
          is_near = is_near && (may_differ || coordinates(subject.mesh, rank)[axis] ==
                                                  coordinates(subject.mesh, other)[axis]);
        }
        if (is_near) senders.push_back(other);
      }
      ASSERT_EQ(senders.size(), 1U);
      world.send(senders[0], rank, {{wanted, 1}}, width_of(subject, step.tensor, after));
    }
  }
}

/// A layout's parts over one mesh axis: nothing twice within a coordinate's union, all covered.
void expect_partition(const Case& subject, const TensorState& tensor, bool is_rows,
                      std::int64_t extent) {
  const std::vector<int>& over = is_rows ? tensor.rows_over : tensor.columns_over;
  for (const int x : over) {
    std::map<std::int64_t, std::set<std::int64_t>> coordinates_by_index;
    for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
      const Shard& shard = tensor.shards[static_cast<std::size_t>(rank)];
      for (const std::int64_t index : is_rows ? shard.rows : shard.columns) {
        coordinates_by_index[index].insert(
            coordinates(subject.mesh, rank)[static_cast<std::size_t>(x)]);
      }
    }
    ASSERT_EQ(coordinates_by_index.size(), static_cast<std::size_t>(extent));
    for (const auto& [index, owners] : coordinates_by_index) ASSERT_EQ(owners.size(), 1U);
  }
}

void expect_partitions(const Case& subject, const PlanState& state) {
  expect_partition(subject, state.a, true, subject.i);
  expect_partition(subject, state.a, false, subject.k);
  expect_partition(subject, state.b, true, subject.k);
  expect_partition(subject, state.b, false, subject.j);
  if (!state.c) return;
  expect_partition(subject, *state.c, true, subject.i);
  expect_partition(subject, *state.c, false, subject.j);
}

Shard sorted(Shard shard) {
  std::sort(shard.rows.begin(), shard.rows.end());
  std::sort(shard.columns.begin(), shard.columns.end());
  return shard;
}

void expect_simulation_agrees(const std::string& line) {
  SCOPED_TRACE(line);
  const auto subject = parse(line);
  ASSERT_TRUE(subject) << print(subject.error());
  const auto plan = resolve(*subject);
  ASSERT_TRUE(plan) << plan.error();
  World world;
  for (std::size_t s = 0; s < plan->steps.size(); ++s) {
    const Step& step = plan->steps[s];
    world.phase = static_cast<std::int64_t>(s);
    ASSERT_NO_FATAL_FAILURE(expect_partitions(*subject, plan->states[s + 1]));
    if (step.kind == Step::Kind::local || step.kind == Step::Kind::slice) continue;
    const TensorState& before = at(plan->states[s], step.tensor);
    const TensorState& after = at(plan->states[s + 1], step.tensor);
    const bool is_exchange = step.kind == Step::Kind::exchange;
    const auto simulate = is_exchange ? simulate_exchange : simulate_collective;
    ASSERT_NO_FATAL_FAILURE(simulate(*subject, world, step, before, after));
  }
  std::map<Pair, std::int64_t> closed;
  for (const Transfer& entry : ledger(*subject, *plan)) {
    closed[{entry.phase, entry.source, entry.destination}] = entry.bytes;
  }
  EXPECT_EQ(closed, world.bytes);
  const std::vector<Shard> wanted = shards(*subject, Tensor::c);
  for (std::size_t rank = 0; rank < wanted.size(); ++rank) {
    EXPECT_EQ(sorted(plan->states.back().c->shards[rank]), sorted(wanted[rank]));
  }
}

/// Part sizes that add up to `extent`, uneven, some of them empty.
std::string uneven(std::int64_t extent, std::int64_t part_count) {
  std::string sizes;
  std::int64_t left = extent;
  for (std::int64_t part = 0; part < part_count; ++part) {
    const bool is_last = part + 1 == part_count;
    const std::int64_t size = is_last ? left : std::min(left, part * 7 % 4);
    sizes += (part == 0 ? "" : ",") + std::to_string(size);
    left -= size;
  }
  return sizes;
}

TEST(PlanSimulation, AgreesWithTheClosedFormsForOneToSeventeenRanks) {
  for (std::int64_t ranks = 1; ranks <= 17; ++ranks) {
    for (const char* algorithm : {"ring", "direct"}) {
      std::string tail = " in=bf16 acc=f64 wire=f64 out=f32";
      for (const char* collective : {"all_reduce", "reduce_scatter", "all_gather"}) {
        tail += std::string(" algorithm.") + collective + "=" + algorithm;
      }
      const std::string head = "matmul mesh=x" + std::to_string(ranks) + " i=13 j=2 k=9 ";
      const std::string rows = "split.i=sizes:" + uneven(13, ranks) + " ";
      const std::string ks = "split.k=sizes:" + uneven(9, ranks) + " ";
      expect_simulation_agrees(head + rows + ks + "A[i,k/x] B[k/x,j] -> C[i/x,j]" + tail +
                               " plan=local+reduce_scatter:C/x");
      expect_simulation_agrees(head + ks + "A[i,k/x] B[k/x,j] -> C[i,j]" + tail +
                               " plan=local+all_reduce:C/x");
      expect_simulation_agrees(head + "split.k=cyclic:2 A[i,k/x] B[k/x,j] -> C[i,j]" + tail +
                               " plan=local+reduce_scatter:C/x+gather:C/x");
      expect_simulation_agrees(head + rows + "A[i/x,k] B[k/x,j] -> C[i,j/x]" + tail +
                               " plan=gather:B/x+local+exchange:C");
      expect_simulation_agrees(head + ks + "split.B.k=ceil A[i,k/x] B[k/x,j] -> C[i,j]" + tail +
                               " plan=exchange:A+local+all_reduce:C/x");
      expect_simulation_agrees(head + rows + ks + "A[i/x,k] B[k/x,j] -> C[i/x,j]" + tail);
    }
  }
}

TEST(PlanSimulation, AgreesOnGridsOfTwoAndThreeMeshAxes) {
  for (const char* line : {
           "matmul mesh=x2,y3 i=5 j=4 k=7 A[i/x,k/y] B[k/y,j] -> C[i/x,j/y]",
           "matmul mesh=x2,y3 i=5 j=4 k=7 split.A.k=cyclic:1 A[i/x,k/y] B[k/x/y,j] -> C[i/y,j/x]",
           "matmul mesh=x2,y2 i=5 j=4 k=7 A[i,k/x/y] B[k/y/x,j] -> C[i,j]+y",
           "matmul mesh=x2,y2 i=4 j=1 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i,j] acc=f64 wire=f64 out=f32 "
           "plan=local+reduce_scatter:C/x+gather:C/x+all_reduce:C/y",
           "matmul mesh=x2,y2 i=4 j=3 k=4 A[i,k/x/y] B[k/x/y,j] -> C[i/y,j] "
           "plan=local+reduce_scatter:C/x+all_reduce:C/y+exchange:C",
           "matmul mesh=x2,y2 i=4 j=3 k=4 split.j=sets:2|0,1 A[i/x,k/y] B[k,j/x] -> C[i,j/x] "
           "plan=exchange:A[i/x,k]+exchange:A[i,k]+local",
           "matmul mesh=x2,y2,z2 i=5 j=6 k=7 A[i/x/y,k/z] B[k/z/x,j/y] -> C[i/x,j/z/y]",
           "matmul mesh=x3,y2,z2 i=5 j=6 k=7 A[i,k/x/y] B[k/z/x,j] -> C[i/z,j/y]+x",
       }) {
    expect_simulation_agrees(line);
  }
}

}  // namespace
}  // namespace shardcheck::model
