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

#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/simulated/simulated_group.h>
#include <shardcheck/model/simulated/simulated_woven_step.h>
#include "ledger.h"
#include "rules.h"

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

const TensorState& at(const PlanState& state, Tensor tensor) {
  if (tensor == Tensor::a) return state.a;
  return tensor == Tensor::b ? state.b : *state.c;
}

bool is_in(const std::vector<int>& list, int axis) {
  return std::find(list.begin(), list.end(), axis) != list.end();
}

/// What travels once it is finished: of C, wire while it is to be reduced over another mesh axis.
Dtype dtype_of(const ProductCase& subject, Tensor tensor, const TensorState& after) {
  if (tensor != Tensor::c) return subject.dtypes.in;
  for (const int axis : after.partial_over) {
    if (!is_in(subject.c.partial_over, axis)) return subject.dtypes.wire;
  }
  return subject.dtypes.out;
}

std::int64_t width_of(const ProductCase& subject, Tensor tensor, const TensorState& after) {
  return info(dtype_of(subject, tensor, after)).bytes;
}

Collective collective_of(const Step& step) {
  if (step.kind == Step::Kind::gather) return Collective::all_gather;
  return step.kind == Step::Kind::reduce_scatter ? Collective::reduce_scatter
                                                 : Collective::all_reduce;
}

/// One group, message by message: every element is a 1 that the members of a reduction add up.
void simulate_group(const ProductCase& subject, World& world, const Step& step,
                    const TensorState& before, const TensorState& after,
                    const std::vector<std::int64_t>& members) {
  const Collective collective = collective_of(step);
  const bool gathers = collective == Collective::all_gather;
  const auto elements = [&](const TensorState& tensor, std::int64_t rank) {
    return coordinates_of(tensor.shards[static_cast<std::size_t>(rank)]);
  };
  const std::vector<Coordinate> all = elements(gathers ? after : before, members.front());
  const auto positions = [&](const std::vector<Coordinate>& some) {
    IndexList list;
    for (const Coordinate& one : some)
      list.push_back(std::find(all.begin(), all.end(), one) - all.begin());
    return list;
  };
  CallsCase in_group;
  in_group.n = static_cast<std::int64_t>(all.size());
  in_group.calls = {{collective, algorithm_of(subject, collective)}};
  const Dtype moved = dtype_of(subject, step.tensor, after);
  in_group.dtypes = {gathers ? moved : subject.dtypes.acc, gathers ? moved : subject.dtypes.acc,
                     subject.dtypes.wire, moved};
  in_group.split.rule = Split::Rule::sets;
  std::vector<Elements> start;
  for (const std::int64_t member : members) {
    in_group.split.sets.push_back(positions(elements(gathers ? before : after, member)));
    Elements& own = start.emplace_back();
    for (const std::int64_t p : positions(elements(before, member))) {
      own[p] = round(in_group.dtypes.in, Number(1));
    }
  }
  SimulatedGroup group(in_group, std::move(start));
  group.run(in_group.calls[0]);
  for (const auto& [pair, bytes] : group.sent()) {
    world.bytes[{world.phase, members[static_cast<std::size_t>(pair.first)],
                 members[static_cast<std::size_t>(pair.second)]}] += bytes;
  }
  const auto count = static_cast<std::int64_t>(gathers ? 1 : members.size());
  for (std::size_t m = 0; m < members.size(); ++m) {
    // Every element that the rules give the member has come, with every partial in it, once.
    Elements whole;
    for (const std::int64_t p : positions(elements(after, members[m]))) {
      whole[p] = round(moved, Number(count));
    }
    ASSERT_EQ(group.held()[m], whole) << "member " << m;
  }
}

void simulate_collective(const ProductCase& subject, World& world, const Step& step,
                         const TensorState& before, const TensorState& after) {
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    const auto members = group(subject.mesh, rank, step.mesh_axis);
    if (members.front() != rank) continue;
    ASSERT_NO_FATAL_FAILURE(simulate_group(subject, world, step, before, after, members));
  }
}

void simulate_exchange(const ProductCase& subject, World& world, const Step& step,
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
void expect_partition(const ProductCase& subject, const TensorState& tensor, bool is_rows,
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

void expect_partitions(const ProductCase& subject, const PlanState& state) {
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

/// Under number `choice` of each collective's algorithms, modulo how many there are.
void expect_simulation_agrees(const std::string& line, std::size_t choice = 0) {
  SCOPED_TRACE(line + ", algorithms " + std::to_string(choice));
  auto subject = parse_product(line);
  ASSERT_TRUE(subject) << print(subject.error());
  for (std::size_t index = 0; index < plan_collective_count; ++index) {
    const auto offered = algorithms_of(static_cast<Collective>(index));
    subject->algorithms[index] = offered[choice % offered.size()];
  }
  const auto plan = resolve(*subject);
  ASSERT_TRUE(plan) << plan.error();
  World world;
  for (std::size_t s = 0; s < plan->steps.size(); ++s) {
    const Step& step = plan->steps[s];
    world.phase = static_cast<std::int64_t>(s);
    ASSERT_NO_FATAL_FAILURE(expect_partitions(*subject, plan->states[s + 1]));
    if (step.kind == Step::Kind::local || step.kind == Step::Kind::slice) continue;
    if (is_woven(step.kind)) {
      const SimulatedSchedule simulated(*subject, step, plan->states[s], plan->states[s + 1]);
      for (const auto& [pair, bytes] : simulated.sent()) {
        world.bytes[{world.phase, pair.first, pair.second}] = bytes;
      }
      continue;
    }
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
    for (std::size_t choice = 0; choice < offered::all_reduce.size(); ++choice) {
      const std::string tail = " in=bf16 acc=f64 wire=f64 out=f32";
      const std::string head = "matmul mesh=x" + std::to_string(ranks) + " i=13 j=2 k=9 ";
      const std::string rows = "split.i=sizes:" + uneven(13, ranks) + " ";
      const std::string ks = "split.k=sizes:" + uneven(9, ranks) + " ";
      expect_simulation_agrees(head + rows + ks + "A[i,k/x] B[k/x,j] -> C[i/x,j]" + tail +
                                   " plan=local+reduce_scatter:C/x",
                               choice);
      expect_simulation_agrees(
          head + ks + "A[i,k/x] B[k/x,j] -> C[i,j]" + tail + " plan=local+all_reduce:C/x", choice);
      expect_simulation_agrees(head + "split.k=cyclic:2 A[i,k/x] B[k/x,j] -> C[i,j]" + tail +
                                   " plan=local+reduce_scatter:C/x+gather:C/x",
                               choice);
      expect_simulation_agrees(head + rows + "A[i/x,k] B[k/x,j] -> C[i,j/x]" + tail +
                                   " plan=gather:B/x+local+exchange:C",
                               choice);
      expect_simulation_agrees(head + ks + "split.B.k=ceil A[i,k/x] B[k/x,j] -> C[i,j]" + tail +
                                   " plan=exchange:A+local+all_reduce:C/x",
                               choice);
      expect_simulation_agrees(head + rows + ks + "A[i/x,k] B[k/x,j] -> C[i/x,j]" + tail, choice);
    }
  }
}

TEST(PlanSimulation, AgreesOnSchedulesOfOneToSevenRanksAlongAMeshAxis) {
  for (std::int64_t ranks = 1; ranks <= 7; ++ranks) {
    const std::string size = std::to_string(ranks);
    const std::string tail = " in=bf16 acc=f64 wire=f64 out=f32 plan=";
    const std::string head = "matmul mesh=x" + size + " i=13 j=11 k=9 ";
    const std::string rows = "split.i=sizes:" + uneven(13, ranks) + " ";
    const std::string ks = "split.k=sizes:" + uneven(9, ranks) + " ";
    const std::string grid = "i=7 j=5 k=9 " + ks + "A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]" + tail;
    for (std::size_t choice = 0; choice < offered::all_reduce.size(); ++choice) {
      expect_simulation_agrees(
          head + rows + ks + "A[i/x,k] B[k/x,j] -> C[i/x,j]" + tail + "gather_local:B/x", choice);
      expect_simulation_agrees(
          head + rows + "A[i/x,k] B[k,j] -> C[i,j]" + tail + "gather_local:A/x", choice);
      expect_simulation_agrees(
          head + rows + ks + "A[i,k/x] B[k/x,j] -> C[i/x,j]" + tail + "local_scatter:C/x", choice);
    }
    expect_simulation_agrees("matmul mesh=x" + size + ",y" + size + " " + grid + "cannon:x/y");
    expect_simulation_agrees("matmul mesh=y" + size + ",z2,x" + size + " " + grid + "summa:x/y");
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
    for (std::size_t choice = 0; choice < offered::all_reduce.size(); ++choice) {
      expect_simulation_agrees(line, choice);
    }
  }
}

}  // namespace
}  // namespace shardcheck::model
