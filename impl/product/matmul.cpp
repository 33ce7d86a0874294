#include "matmul.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <shardcheck/model/case/contract.h>

#include <shardcheck/impl/collectives/table.h>
#include <shardcheck/impl/rank/rank_run.h>
#include <shardcheck/impl/woven/cannon.h>
#include <shardcheck/impl/woven/gather_local.h>
#include <shardcheck/impl/woven/local_scatter.h>
#include <shardcheck/impl/woven/summa.h>
#include "exchange.h"

namespace shardcheck::impl {
namespace {

void slice(RankRun& run, const Turn& turn) {
  const TensorState& before = tensor_of(turn.from, turn.step.tensor);
  Shard& shard = run.shard_of(turn.step.tensor);
  Shard kept = run.held(tensor_of(turn.to, turn.step.tensor), nullptr);
  const std::int64_t width = run.element_bytes(turn.step.tensor);
  const Positions rows =
      positions_in(shard.rows, kept.rows, run.pool.extent(before.rows), run.workspace);
  const Positions columns =
      positions_in(shard.columns, kept.columns, run.pool.extent(before.columns), run.workspace);
  std::byte* elements = run.workspace.take(kept.count() * width);
  select(shard, rows, columns, width, elements);
  kept.elements = elements;
  shard = kept;
}

/// Blocks of columns, one after the other, become one block, row-major.
void interleave(BlockStarts starts, std::int64_t row_count, std::int64_t element_bytes,
                const std::byte* blocks, std::byte* destination) {
  if (row_count == 0) return;
  const std::int64_t row_bytes = starts.back() / row_count * element_bytes;
  std::int64_t column_at = 0;
  for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
    const std::int64_t width = (starts[block + 1] - starts[block]) / row_count * element_bytes;
    const std::byte* source = blocks + starts[block] * element_bytes;
    for (std::int64_t row = 0; row < row_count; ++row) {
      std::copy_n(source + row * width, width, destination + row * row_bytes + column_at);
    }
    column_at += width;
  }
}

void gather(RankRun& run, const Turn& turn) {
  Shard& shard = run.shard_of(turn.step.tensor);
  Shard joined = run.held(tensor_of(turn.to, turn.step.tensor), shard.elements);
  const Group group = group_along(run.pool.grid(), turn.step.mesh_axis, run.rank);
  if (group.count == 1) {
    shard = joined;
    return;
  }
  const bool by_rows =
      tensor_of(turn.from, turn.step.tensor).rows != tensor_of(turn.to, turn.step.tensor).rows;
  const TensorState& before = tensor_of(turn.from, turn.step.tensor);
  const std::span<std::int64_t> starts = take_starts(run.workspace, group.count);
  for (std::int64_t member = 0; member < group.count; ++member) {
    const std::int64_t rank = rank_of(group, member);
    const auto elements = static_cast<std::int64_t>(run.pool.held(before.rows, rank).size() *
                                                    run.pool.held(before.columns, rank).size());
    starts[static_cast<std::size_t>(member) + 1] =
        starts[static_cast<std::size_t>(member)] + elements;
  }
  const Dtype dtype = run.travelling_dtype(turn.step.tensor);
  const std::int64_t width = info(dtype).bytes;
  std::byte* elements = run.workspace.take(starts.back() * width);
  std::byte* own = elements + start_of(starts, group.self) * width;
  if (run.travels_rounded(turn.step.tensor)) {
    narrow(run.storage, shard.elements, dtype, own, shard.count());
  } else {
    std::copy_n(shard.elements, shard.count() * width, own);
  }
  entry(collective_table().all_gather, algorithm_of(run.subject, Collective::all_gather))
      .run({run.endpoint, group, turn.phase, run.workspace}, starts, dtype, elements);
  if (!by_rows) {
    std::byte* whole = run.workspace.take(starts.back() * width);
    interleave(starts, joined.row_count(), width, elements, whole);
    elements = whole;
  }
  joined.elements = run.travels_rounded(turn.step.tensor)
                        ? run.widened(dtype, elements, joined.count())
                        : elements;
  shard = joined;
}

void exchange_shard(RankRun& run, const Turn& turn) {
  Shard& shard = run.shard_of(turn.step.tensor);
  Shard recut = run.held(tensor_of(turn.to, turn.step.tensor), nullptr);
  const Dtype dtype = run.travelling_dtype(turn.step.tensor);
  const Exchange how{run.pool, tensor_of(turn.from, turn.step.tensor),
                     tensor_of(turn.to, turn.step.tensor), info(dtype).bytes};
  std::byte* elements = run.workspace.take(recut.count() * how.element_bytes);
  run.endpoint.begin_phase(turn.phase, dtype);
  if (!run.travels_rounded(turn.step.tensor)) {
    exchange(run.endpoint, how, shard.elements, elements, nullptr, run.workspace);
    recut.elements = elements;
  } else {
    const std::byte* rounded = run.narrowed(dtype, shard.elements, shard.count());
    auto* is_sent = reinterpret_cast<std::uint8_t*>(run.workspace.take_for_lists(shard.count()));
    std::fill_n(is_sent, shard.count(), std::uint8_t{0});
    exchange(run.endpoint, how, rounded, elements, is_sent, run.workspace);
    std::byte* sums = run.widened(dtype, elements, recut.count());
    const Exchange of_sums{run.pool, how.from, how.to, bytes_of(run.storage)};
    keep_unsent(run.rank, of_sums, shard.elements, is_sent, sums, run.workspace);
    recut.elements = sums;
  }
  shard = recut;
}

/// The rank's output, if C lies after this step as it must lie there in the end.
std::byte* output_of(const RankRun& run, const Turn& turn) {
  const TensorState& consumer = run.matmul.situation.consumer;
  const bool is_last = turn.phase + 1 == static_cast<std::int64_t>(run.matmul.plan.steps.size());
  if (!is_last || turn.to.c.rows != consumer.rows || turn.to.c.columns != consumer.columns) {
    return nullptr;
  }
  SHARDCHECK_REQUIRE(run.held(consumer, nullptr).count() * info(run.subject.dtypes.out).bytes <=
                         static_cast<std::int64_t>(run.memory.output.size()),
                     "an output has room for the whole of C");
  return run.memory.output.data();
}

/// The output, if sums may be added up there: they are the result, but for what a NaN looks like.
std::byte* output_for_sums(const RankRun& run, const Turn& turn) {
  std::byte* output = output_of(run, turn);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(output) %
                              static_cast<std::uintptr_t>(bytes_of(run.storage)) ==
                          0;
  return is_aligned && is_finished(run.matmul.situation, turn.to) &&
                 is_stored_as_is(run.subject.dtypes.out, run.storage)
             ? output
             : nullptr;
}

/// B's rows follow A's columns, whose order is the order of the sums.
void multiply(RankRun& run, const Turn& turn) {
  run.c = run.held(turn.to.c, nullptr);
  std::byte* output = output_for_sums(run, turn);
  std::byte* sums = output != nullptr ? output : run.room_for_sums(run.c.count());
  run.multiply(run.a, run.b, {run.a.rows, run.a.columns, run.b.columns},
               {sums, run.c.column_count()}, Sums::begin);
  run.c.elements = sums;
  run.note_ks(run.a.columns);
  run.note_partial(run.c.rows, run.c.columns, sums);
}

/// The sums of C, member after member: what each will keep after the step.
std::byte* sums_by_member(RankRun& run, const Turn& turn, const Group& group,
                          std::span<std::int64_t> starts) {
  const std::int64_t width = bytes_of(run.storage);
  bool are_in_order = true;
  std::size_t first_row = 0;
  for (std::int64_t member = 0; member < group.count; ++member) {
    const std::int64_t rank = rank_of(group, member);
    const Indices rows = run.pool.held(turn.to.c.rows, rank);
    const Indices columns = run.pool.held(turn.to.c.columns, rank);
    starts[static_cast<std::size_t>(member) + 1] =
        start_of(starts, member) + static_cast<std::int64_t>(rows.size() * columns.size());
    are_in_order = are_in_order && std::ranges::equal(columns, run.c.columns) &&
                   rows.size() <= run.c.rows.size() - first_row &&
                   std::ranges::equal(rows, run.c.rows.subspan(first_row, rows.size()));
    first_row += rows.size();
  }
  if (are_in_order) return run.sums_of_c();
  std::byte* sums = run.workspace.take(run.c.count() * width);
  for (std::int64_t member = 0; member < group.count; ++member) {
    const Workspace::Mark mark = run.workspace.mark();
    const Indices rows = run.pool.held(turn.to.c.rows, rank_of(group, member));
    const Indices columns = run.pool.held(turn.to.c.columns, rank_of(group, member));
    select(
        run.c, positions_in(run.c.rows, rows, run.pool.extent(turn.from.c.rows), run.workspace),
        positions_in(run.c.columns, columns, run.pool.extent(turn.from.c.columns), run.workspace),
        width, sums + start_of(starts, member) * width);
    run.workspace.release(mark);
  }
  return sums;
}

void reduce_scatter(RankRun& run, const Turn& turn) {
  const Group group = group_along(run.pool.grid(), turn.step.mesh_axis, run.rank);
  Shard own = run.held(turn.to.c, run.c.elements);
  if (group.count == 1) {
    run.c = own;
    return;
  }
  const std::span<std::int64_t> starts = take_starts(run.workspace, group.count);
  std::byte* sums = sums_by_member(run, turn, group, starts);
  entry(collective_table().reduce_scatter, algorithm_of(run.subject, Collective::reduce_scatter))
      .run({run.endpoint, group, turn.phase, run.workspace}, starts, run.reduction_to(turn.to),
           sums);
  own.elements = sums + start_of(starts, group.self) * bytes_of(run.storage);
  run.c = own;
}

void all_reduce(RankRun& run, const Turn& turn) {
  const Group group = group_along(run.pool.grid(), turn.step.mesh_axis, run.rank);
  if (group.count == 1) return;
  const std::int64_t count = run.c.count();
  const Reduction reduction = run.reduction_to(turn.to);
  std::byte* sums = run.sums_of_c();
  std::byte* elements = is_stored_as_is(reduction.out, run.storage)
                            ? sums
                            : run.workspace.take(count * info(reduction.out).bytes);
  entry(collective_table().all_reduce, algorithm_of(run.subject, Collective::all_reduce))
      .run({run.endpoint, group, turn.phase, run.workspace}, count, reduction, sums, elements);
  run.is_c_finished = is_finished(run.matmul.situation, turn.to);
  run.c.elements = run.is_c_finished ? elements : run.widened(reduction.out, elements, count);
}

/// The one rounding to `out`, as soon as nothing will be added any more.
void finish_if_due(RankRun& run, const Turn& turn) {
  if (run.is_c_finished || !is_finished(run.matmul.situation, turn.to)) return;
  SHARDCHECK_REQUIRE(!is_finished(run.matmul.situation, turn.from), "C is finished once");
  const Dtype out = run.subject.dtypes.out;
  std::byte* output = output_of(run, turn);
  if (output == nullptr) {
    run.c.elements = run.narrowed(out, run.c.elements, run.c.count());
  } else if (output == run.c.elements) {
    unify_nans(run.storage, output, run.c.count());
  } else {
    narrow(run.storage, run.c.elements, out, output, run.c.count());
    run.c.elements = output;
  }
  run.is_c_finished = true;
}

void take_step(RankRun& run, const Turn& turn) {
  switch (turn.step.kind) {
    case Step::Kind::slice: slice(run, turn); break;
    case Step::Kind::gather: gather(run, turn); break;
    case Step::Kind::exchange: exchange_shard(run, turn); break;
    case Step::Kind::local: multiply(run, turn); break;
    case Step::Kind::reduce_scatter: reduce_scatter(run, turn); break;
    case Step::Kind::all_reduce: all_reduce(run, turn); break;
    case Step::Kind::gather_local: gather_local(run, turn); break;
    case Step::Kind::local_scatter: local_scatter(run, turn); break;
    case Step::Kind::summa: summa(run, turn); break;
    case Step::Kind::cannon: cannon(run, turn); break;
  }
  finish_if_due(run, turn);
}

void write_result(RankRun& run) {
  if (run.c.elements == run.memory.output.data()) return;
  const TensorState& consumer = run.matmul.situation.consumer;
  const Shard wanted = run.held(consumer, nullptr);
  const Positions rows =
      positions_in(run.c.rows, wanted.rows, run.pool.extent(consumer.rows), run.workspace);
  const Positions columns =
      positions_in(run.c.columns, wanted.columns, run.pool.extent(consumer.columns), run.workspace);
  const std::int64_t width = info(run.subject.dtypes.out).bytes;
  SHARDCHECK_REQUIRE(wanted.count() * width <= static_cast<std::int64_t>(run.memory.output.size()),
                     "an output has room for the whole of C");
  select(run.c, rows, columns, width, run.memory.output.data());
}

}  // namespace

void run_rank(const Matmul& matmul, Endpoint& endpoint, const RankMemory& memory,
              Workspace& workspace, LocalProduct& product) {
  workspace.begin(endpoint);
  RankRun run(matmul, endpoint, memory, workspace, product);
  const std::vector<PlanState>& states = matmul.plan.states;
  run.a = run.held(states.front().a, memory.inputs[0].data());
  run.b = run.held(states.front().b, memory.inputs[1].data());
  for (std::size_t at = 0; at < matmul.plan.steps.size(); ++at) {
    take_step(run,
              {static_cast<std::int64_t>(at), matmul.plan.steps[at], states[at], states[at + 1]});
  }
  write_result(run);
}

}  // namespace shardcheck::impl
