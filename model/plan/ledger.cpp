#include "ledger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <shardcheck/model/case/contract.h>

#include <shardcheck/model/calls/ledger.h>

namespace shardcheck::model {

namespace {

/// What one phase adds to the ledger. Transfers of one pair may come several times.
struct Phase {
  const ProductCase& subject;
  std::int64_t number = 0;
  std::vector<Transfer>& transfers;

  void send(std::int64_t source, std::int64_t destination, std::int64_t bytes) const {
    if (source != destination && bytes > 0) {
      transfers.push_back({number, source, destination, bytes, 0});
    }
  }
};

std::int64_t elements(const TensorState& tensor, std::int64_t rank) {
  const Shard& shard = tensor.shards[static_cast<std::size_t>(rank)];
  return static_cast<std::int64_t>(shard.rows.size() * shard.columns.size());
}

/// Once a group: what every member sends. `blocks`: the tensor of which each holds its block.
void add_collective(const Phase& phase, Collective collective, Algorithm algorithm, int mesh_axis,
                    const TensorState& blocks, std::int64_t width) {
  for (std::int64_t rank = 0; rank < rank_count(phase.subject.mesh); ++rank) {
    const std::vector<std::int64_t> members = group(phase.subject.mesh, rank, mesh_axis);
    if (members.front() != rank) continue;
    Payload payload;
    payload.member_count = static_cast<std::int64_t>(members.size());
    payload.elements = elements(blocks, rank);  // all_reduce: every member holds all
    payload.partial_bytes = info(phase.subject.dtypes.wire).bytes;
    payload.finished_bytes = width;
    for (const std::int64_t member : members) payload.blocks.push_back(elements(blocks, member));
    const auto rank_of = [&](std::int64_t m) { return members[static_cast<std::size_t>(m)]; };
    send_all(payload, collective, algorithm,
             [&](std::int64_t source, std::int64_t destination, std::int64_t bytes) {
               phase.send(rank_of(source), rank_of(destination), bytes);
             });
  }
}

/// Bytes of an element that is replicated or moved: of C, wire while it is still to be reduced over
/// some mesh axis.
std::int64_t moving_width(const ProductCase& subject, Tensor tensor, const TensorState& after) {
  if (tensor != Tensor::c) return info(subject.dtypes.in).bytes;
  const std::vector<int>& wanted = subject.c.partial_over;
  const bool is_finished = std::all_of(
      after.partial_over.begin(), after.partial_over.end(),
      [&](int axis) { return std::find(wanted.begin(), wanted.end(), axis) != wanted.end(); });
  return info(is_finished ? subject.dtypes.out : subject.dtypes.wire).bytes;
}

/// A set of indices of one axis, for intersections.
std::vector<IndexList> sorted_lists(const TensorState& tensor, bool is_rows) {
  std::vector<IndexList> lists;
  for (const Shard& shard : tensor.shards) {
    lists.push_back(is_rows ? shard.rows : shard.columns);
    std::sort(lists.back().begin(), lists.back().end());
  }
  return lists;
}

std::int64_t in_both(const IndexList& left, const IndexList& right) {
  std::int64_t count = 0;
  auto other = right.begin();
  for (const std::int64_t index : left) {
    while (other != right.end() && *other < index) ++other;
    if (other != right.end() && *other == index) ++count;
  }
  return count;
}

/// Each rank receives what it lacks from the ranks that agree with it on every mesh axis that
/// didn't cut the tensor before. Those, the rank among them, hold each element once.
void add_exchange(const Phase& phase, const TensorState& before, const TensorState& after,
                  std::int64_t width) {
  const std::vector<IndexList> rows_before = sorted_lists(before, true);
  const std::vector<IndexList> rows_after = sorted_lists(after, true);
  const std::vector<IndexList> columns_before = sorted_lists(before, false);
  const std::vector<IndexList> columns_after = sorted_lists(after, false);
  for (std::size_t destination = 0; destination < after.shards.size(); ++destination) {
    std::vector<std::int64_t> holders{static_cast<std::int64_t>(destination)};
    for (const std::vector<int>* over : {&before.rows_over, &before.columns_over}) {
      for (const int axis : *over) {
        std::vector<std::int64_t> more;
        for (const std::int64_t holder : holders) {
          for (const std::int64_t member : group(phase.subject.mesh, holder, axis)) {
            more.push_back(member);
          }
        }
        holders = std::move(more);
      }
    }
    for (const std::int64_t source : holders) {
      const auto from = static_cast<std::size_t>(source);
      phase.send(source, static_cast<std::int64_t>(destination),
                 in_both(rows_before[from], rows_after[destination]) *
                     in_both(columns_before[from], columns_after[destination]) * width);
    }
  }
}

const TensorState& tensor_of(const PlanState& state, Tensor tensor) {
  switch (tensor) {
    case Tensor::a: return state.a;
    case Tensor::b: return state.b;
    case Tensor::c: break;
  }
  SHARDCHECK_REQUIRE(state.c.has_value(), "a step on C comes after local");
  return *state.c;
}

/// Panel by panel, all of A that a rank holds goes along y, and all of B along x.
void add_summa(const Phase& phase, const Step& step, const PlanState& from) {
  const std::int64_t width = info(phase.subject.dtypes.in).bytes;
  for (std::int64_t rank = 0; rank < rank_count(phase.subject.mesh); ++rank) {
    for (const std::int64_t member : group(phase.subject.mesh, rank, step.column_axis)) {
      phase.send(rank, member, elements(from.a, rank) * width);
    }
    for (const std::int64_t member : group(phase.subject.mesh, rank, step.mesh_axis)) {
      phase.send(rank, member, elements(from.b, rank) * width);
    }
  }
}

/// Blocks of A move along y, those of B along x. Rank (x, y) brings its own to where they meet, and
/// then has part x + y, x + y + 1, … of both, each of which but the last it passes on.
void add_cannon(const Phase& phase, const Step& step, const PlanState& from) {
  const Mesh& mesh = phase.subject.mesh;
  const std::int64_t width = info(phase.subject.dtypes.in).bytes;
  const std::int64_t p = mesh.axes[static_cast<std::size_t>(step.mesh_axis)].size;
  for (std::int64_t rank = 0; rank < rank_count(mesh); ++rank) {
    const std::vector<std::int64_t> along_x = group(mesh, rank, step.mesh_axis);
    const std::vector<std::int64_t> along_y = group(mesh, rank, step.column_axis);
    const std::vector<std::int64_t> at = coordinates(mesh, rank);
    const std::int64_t x = at[static_cast<std::size_t>(step.mesh_axis)];
    const std::int64_t y = at[static_cast<std::size_t>(step.column_axis)];
    const auto member = [p](const std::vector<std::int64_t>& members, std::int64_t number) {
      return members[static_cast<std::size_t>((number % p + p) % p)];
    };
    if (x != 0) phase.send(rank, member(along_y, y - x), elements(from.a, rank) * width);
    if (y != 0) phase.send(rank, member(along_x, x - y), elements(from.b, rank) * width);
    for (std::int64_t shift = 0; shift + 1 < p; ++shift) {
      // Blocks of one row of the grid differ in their part of k alone.
      const std::int64_t part = x + y + shift;
      phase.send(rank, member(along_y, y - 1), elements(from.a, member(along_y, part)) * width);
      phase.send(rank, member(along_x, x - 1), elements(from.b, member(along_x, part)) * width);
    }
  }
}

void add_schedule(const Phase& phase, const Step& step, const PlanState& from,
                  const PlanState& to) {
  const std::int64_t in = info(phase.subject.dtypes.in).bytes;
  if (step.kind == Step::Kind::gather_local) {
    add_collective(phase, Collective::all_gather, Algorithm::ring, step.mesh_axis,
                   tensor_of(from, step.tensor), in);
  } else if (step.kind == Step::Kind::local_scatter) {
    add_collective(phase, Collective::reduce_scatter, Algorithm::ring, step.mesh_axis,
                   tensor_of(to, Tensor::c), moving_width(phase.subject, Tensor::c, *to.c));
  } else if (step.kind == Step::Kind::summa) {
    add_summa(phase, step, from);
  } else if (step.kind == Step::Kind::cannon) {
    add_cannon(phase, step, from);
  }
}

void add_step(const Phase& phase, const Step& step, const PlanState& from, const PlanState& to) {
  if (step.kind == Step::Kind::slice) return;
  if (multiplies(step.kind)) return add_schedule(phase, step, from, to);
  const ProductCase& subject = phase.subject;
  const TensorState& before = tensor_of(from, step.tensor);
  const TensorState& after = tensor_of(to, step.tensor);
  const std::int64_t width = moving_width(subject, step.tensor, after);
  switch (step.kind) {
    case Step::Kind::local:
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter:
    case Step::Kind::summa:
    case Step::Kind::cannon:
    case Step::Kind::slice: break;
    case Step::Kind::exchange: add_exchange(phase, before, after, width); break;
    case Step::Kind::gather:
      add_collective(phase, Collective::all_gather, algorithm_of(subject, Collective::all_gather),
                     step.mesh_axis, before, width);
      break;
    case Step::Kind::reduce_scatter:
      add_collective(phase, Collective::reduce_scatter,
                     algorithm_of(subject, Collective::reduce_scatter), step.mesh_axis, after,
                     width);
      break;
    case Step::Kind::all_reduce:
      add_collective(phase, Collective::all_reduce, algorithm_of(subject, Collective::all_reduce),
                     step.mesh_axis, before, width);
      break;
  }
}

/// Ascending, one entry a (phase, source, destination).
std::vector<Transfer> merged(std::vector<Transfer> transfers) {
  const auto key = [](const Transfer& transfer) {
    return std::tuple(transfer.phase, transfer.source, transfer.destination);
  };
  std::sort(transfers.begin(), transfers.end(),
            [&](const Transfer& left, const Transfer& right) { return key(left) < key(right); });
  std::vector<Transfer> result;
  for (const Transfer& transfer : transfers) {
    if (!result.empty() && key(result.back()) == key(transfer)) {
      result.back().bytes += transfer.bytes;
    } else {
      result.push_back(transfer);
    }
  }
  return result;
}

}  // namespace

std::vector<Transfer> ledger(const ProductCase& subject, const ResolvedPlan& plan) {
  std::vector<Transfer> transfers;
  for (std::size_t number = 0; number < plan.steps.size(); ++number) {
    const Phase phase{subject, static_cast<std::int64_t>(number), transfers};
    add_step(phase, plan.steps[number], plan.states[number], plan.states[number + 1]);
  }
  return merged(std::move(transfers));
}

std::vector<std::int64_t> bytes_sent(const ProductCase& subject,
                                     const std::vector<Transfer>& transfers) {
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(rank_count(subject.mesh)), 0);
  for (const Transfer& transfer : transfers) {
    bytes[static_cast<std::size_t>(transfer.source)] += transfer.bytes;
  }
  return bytes;
}

double lower_bound_elements(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t ranks) {
  std::array<double, 3> sizes{static_cast<double>(m), static_cast<double>(n),
                              static_cast<double>(k)};
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  const auto [large, middle, small] = sizes;
  const auto p = static_cast<double>(ranks);
  if (small == 0) return 0;
  const double held = (large * middle + large * small + middle * small) / p;
  double touched = 0;
  if (p <= large / middle) {
    touched = (large * middle + large * small) / p + middle * small;
  } else if (p <= large * middle / (small * small)) {
    touched = 2 * std::sqrt(large * middle * small * small / p) + large * middle / p;
  } else {
    touched = 3 * std::cbrt(large * middle / p * small * (large * middle / p * small));
  }
  return touched - held;
}

}  // namespace shardcheck::model
