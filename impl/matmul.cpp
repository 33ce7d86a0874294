#include "matmul.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <shardcheck/model/case/contract.h>

#include "collectives/table.h"
#include "convert.h"
#include "exchange.h"
#include "local_product.h"
#include "rank_tensor.h"

namespace shardcheck::impl {
namespace {

class RankRun {
 public:
  RankRun(const Matmul& matmul, Endpoint& endpoint, const RankMemory& memory, Workspace& workspace,
          LocalProduct& product)
      : matmul_(matmul),
        pool_(matmul.situation.pool),
        case_(matmul.situation.subject),
        endpoint_(endpoint),
        memory_(memory),
        workspace_(workspace),
        product_(product),
        rank_(endpoint.rank()),
        storage_(storage_of(case_.dtypes.acc)) {}

  void run();

 private:
  Shard& shard_of(Tensor tensor) {
    return tensor == Tensor::a ? a_ : tensor == Tensor::b ? b_ : c_;
  }
  Shard held(const TensorState& tensor, const std::byte* elements) const {
    return {pool_.held(tensor.rows, rank_), pool_.held(tensor.columns, rank_), elements};
  }

  void take_step(std::int64_t phase, const Step& step, const PlanState& from, const PlanState& to);
  void slice(const Step& step, const PlanState& from, const PlanState& to);
  void gather(std::int64_t phase, const Step& step, const PlanState& from, const PlanState& to);
  void exchange_shard(std::int64_t phase, const Step& step, const PlanState& from,
                      const PlanState& to);
  void multiply(const PlanState& from, const PlanState& to);
  void note_product(const Shard& a);
  void reduce_scatter(std::int64_t phase, const Step& step, const PlanState& from,
                      const PlanState& to);
  void all_reduce(std::int64_t phase, const Step& step, const PlanState& to);
  void finish_if_due(const PlanState& from, const PlanState& to);
  void write_result();

  /// Elements of A and B are in dtype in, of C in storage until it is finished, then in out.
  std::int64_t element_bytes(Tensor tensor) const {
    if (tensor != Tensor::c) return info(case_.dtypes.in).bytes;
    return is_finished_ ? info(case_.dtypes.out).bytes : bytes_of(storage_);
  }
  Dtype travelling_dtype(Tensor tensor) const {
    if (tensor != Tensor::c) return case_.dtypes.in;
    return is_finished_ ? case_.dtypes.out : case_.dtypes.wire;
  }
  bool travels_rounded(Tensor tensor) const { return tensor == Tensor::c && !is_finished_; }

  /// What the sums of a step are rounded to when they travel unfinished, and finished.
  Reduction reduction_to(const PlanState& to) const {
    const bool finishes = is_finished(matmul_.situation, to);
    return {case_.dtypes.acc, case_.dtypes.wire, finishes ? case_.dtypes.out : case_.dtypes.wire};
  }

  std::byte* narrowed(Dtype to, const std::byte* sums, std::int64_t count);
  std::byte* widened(Dtype from, const std::byte* elements, std::int64_t count);
  const std::byte* in_storage(const std::byte* elements, std::int64_t count);

  const Matmul& matmul_;
  const ListsPool& pool_;
  const Case& case_;
  Endpoint& endpoint_;
  const RankMemory& memory_;
  Workspace& workspace_;
  LocalProduct& product_;
  std::int64_t rank_;
  Storage storage_;
  Shard a_;
  Shard b_;
  Shard c_;
  bool is_finished_ = false;
};

std::byte* RankRun::narrowed(Dtype to, const std::byte* sums, std::int64_t count) {
  std::byte* elements = workspace_.take(count * info(to).bytes);
  narrow(storage_, sums, to, elements, count);
  return elements;
}

std::byte* RankRun::widened(Dtype from, const std::byte* elements, std::int64_t count) {
  std::byte* sums = workspace_.take(count * bytes_of(storage_));
  widen(from, elements, storage_, sums, count);
  return sums;
}

/// Operand elements as the product wants them; the shard itself where it is so already.
const std::byte* RankRun::in_storage(const std::byte* elements, std::int64_t count) {
  const auto misaligned =
      reinterpret_cast<std::uintptr_t>(elements) % static_cast<std::uintptr_t>(bytes_of(storage_));
  if (is_stored_as_is(case_.dtypes.in, storage_) && misaligned == 0) return elements;
  return widened(case_.dtypes.in, elements, count);
}

void RankRun::slice(const Step& step, const PlanState& from, const PlanState& to) {
  const TensorState& before = tensor_of(from, step.tensor);
  Shard& shard = shard_of(step.tensor);
  Shard kept = held(tensor_of(to, step.tensor), nullptr);
  const std::int64_t width = element_bytes(step.tensor);
  const Positions rows = positions_in(shard.rows, kept.rows, pool_.extent(before.rows), workspace_);
  const Positions columns =
      positions_in(shard.columns, kept.columns, pool_.extent(before.columns), workspace_);
  std::byte* elements = workspace_.take(kept.count() * width);
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

void RankRun::gather(std::int64_t phase, const Step& step, const PlanState& from,
                     const PlanState& to) {
  Shard& shard = shard_of(step.tensor);
  Shard joined = held(tensor_of(to, step.tensor), shard.elements);
  const Group group = group_along(pool_.grid(), step.mesh_axis, rank_);
  if (group.count == 1) {
    shard = joined;
    return;
  }
  const bool by_rows = tensor_of(from, step.tensor).rows != tensor_of(to, step.tensor).rows;
  const TensorState& before = tensor_of(from, step.tensor);
  const std::span<std::int64_t> starts = take_starts(workspace_, group.count);
  for (std::int64_t member = 0; member < group.count; ++member) {
    const std::int64_t rank = rank_of(group, member);
    const auto elements = static_cast<std::int64_t>(pool_.held(before.rows, rank).size() *
                                                    pool_.held(before.columns, rank).size());
    starts[static_cast<std::size_t>(member) + 1] =
        starts[static_cast<std::size_t>(member)] + elements;
  }
  const Dtype dtype = travelling_dtype(step.tensor);
  const std::int64_t width = info(dtype).bytes;
  std::byte* elements = workspace_.take(starts.back() * width);
  std::byte* own = elements + start_of(starts, group.self) * width;
  if (travels_rounded(step.tensor)) {
    narrow(storage_, shard.elements, dtype, own, shard.count());
  } else {
    std::copy_n(shard.elements, shard.count() * width, own);
  }
  entry(collective_table().all_gather, algorithm_of(case_, Collective::all_gather))
      .run({endpoint_, group, phase, workspace_}, starts, dtype, elements);
  if (!by_rows) {
    std::byte* whole = workspace_.take(starts.back() * width);
    interleave(starts, joined.row_count(), width, elements, whole);
    elements = whole;
  }
  joined.elements =
      travels_rounded(step.tensor) ? widened(dtype, elements, joined.count()) : elements;
  shard = joined;
}

void RankRun::exchange_shard(std::int64_t phase, const Step& step, const PlanState& from,
                             const PlanState& to) {
  Shard& shard = shard_of(step.tensor);
  Shard recut = held(tensor_of(to, step.tensor), nullptr);
  const Dtype dtype = travelling_dtype(step.tensor);
  const Exchange how{pool_, tensor_of(from, step.tensor), tensor_of(to, step.tensor),
                     info(dtype).bytes};
  std::byte* elements = workspace_.take(recut.count() * how.element_bytes);
  endpoint_.begin_phase(phase, dtype);
  if (!travels_rounded(step.tensor)) {
    exchange(endpoint_, how, shard.elements, elements, nullptr, workspace_);
    recut.elements = elements;
  } else {
    const std::byte* rounded = narrowed(dtype, shard.elements, shard.count());
    auto* is_sent = reinterpret_cast<std::uint8_t*>(workspace_.take_for_lists(shard.count()));
    std::fill_n(is_sent, shard.count(), std::uint8_t{0});
    exchange(endpoint_, how, rounded, elements, is_sent, workspace_);
    std::byte* sums = widened(dtype, elements, recut.count());
    const Exchange of_sums{pool_, how.from, how.to, bytes_of(storage_)};
    keep_unsent(rank_, of_sums, shard.elements, is_sent, sums, workspace_);
    recut.elements = sums;
  }
  shard = recut;
}

void RankRun::note_product(const Shard& a) {
  product_.rank = rank_;
  product_.a_columns.assign(a.columns.begin(), a.columns.end());
  product_.b_rows = product_.a_columns;
  if (!matmul_.trace) return;
  const std::byte* partial = narrowed(case_.dtypes.acc, c_.elements, c_.count());
  const std::span bytes(partial,
                        static_cast<std::size_t>(c_.count() * info(case_.dtypes.acc).bytes));
  for (const std::int32_t row : c_.rows) {
    for (const std::int32_t column : c_.columns) {
      const auto at = static_cast<std::int64_t>(product_.coordinates.size());
      product_.coordinates.push_back(row * case_.j + column);
      product_.partial.push_back(load(bytes, case_.dtypes.acc, at));
    }
  }
}

void RankRun::multiply(const PlanState& from, const PlanState& to) {
  // B's rows follow A's columns, whose order is the order of the sums.
  const Positions rows = positions_in(b_.rows, a_.columns, pool_.extent(from.b.rows), workspace_);
  const std::byte* b = b_.elements;
  if (rows) {
    const std::int64_t width = info(case_.dtypes.in).bytes;
    std::byte* ordered = workspace_.take(b_.count() * width);
    select(b_, rows, std::nullopt, width, ordered);
    b = ordered;
  }
  const ProductShape shape{a_.row_count(), a_.column_count(), b_.column_count()};
  const std::byte* a_sums = in_storage(a_.elements, a_.count());
  const std::byte* b_sums = in_storage(b, b_.count());
  c_ = held(to.c, nullptr);
  std::byte* sums = workspace_.take(c_.count() * bytes_of(storage_));
  const Workspace::Mark mark = workspace_.mark();
  std::byte* scratch =
      workspace_.take(scratch_bytes(case_.kernel, case_.fma, case_.dtypes.acc, shape));
  local_product(case_.kernel, case_.fma, case_.dtypes.acc, shape, a_sums, b_sums, sums, scratch);
  workspace_.release(mark);
  c_.elements = sums;
  note_product(a_);
}

void RankRun::reduce_scatter(std::int64_t phase, const Step& step, const PlanState& from,
                             const PlanState& to) {
  const Group group = group_along(pool_.grid(), step.mesh_axis, rank_);
  Shard own = held(to.c, c_.elements);
  if (group.count == 1) {
    c_ = own;
    return;
  }
  const std::int64_t width = bytes_of(storage_);
  const std::span<std::int64_t> starts = take_starts(workspace_, group.count);
  std::byte* sums = workspace_.take(c_.count() * width);
  for (std::int64_t member = 0; member < group.count; ++member) {
    const std::int64_t rank = rank_of(group, member);
    const Indices kept_rows = pool_.held(to.c.rows, rank);
    const Indices kept_columns = pool_.held(to.c.columns, rank);
    const Workspace::Mark mark = workspace_.mark();
    const std::int64_t start = start_of(starts, member);
    select(c_, positions_in(c_.rows, kept_rows, pool_.extent(from.c.rows), workspace_),
           positions_in(c_.columns, kept_columns, pool_.extent(from.c.columns), workspace_), width,
           sums + start * width);
    workspace_.release(mark);
    starts[static_cast<std::size_t>(member) + 1] =
        start + static_cast<std::int64_t>(kept_rows.size() * kept_columns.size());
  }
  entry(collective_table().reduce_scatter, algorithm_of(case_, Collective::reduce_scatter))
      .run({endpoint_, group, phase, workspace_}, starts, reduction_to(to), sums);
  own.elements = sums + start_of(starts, group.self) * width;
  c_ = own;
}

void RankRun::all_reduce(std::int64_t phase, const Step& step, const PlanState& to) {
  const Group group = group_along(pool_.grid(), step.mesh_axis, rank_);
  if (group.count == 1) return;
  const std::int64_t count = c_.count();
  const std::int64_t sum_bytes = bytes_of(storage_);
  const Reduction reduction = reduction_to(to);
  std::byte* sums = workspace_.take(count * sum_bytes);
  std::copy_n(c_.elements, count * sum_bytes, sums);
  std::byte* elements = is_stored_as_is(reduction.out, storage_)
                            ? sums
                            : workspace_.take(count * info(reduction.out).bytes);
  entry(collective_table().all_reduce, algorithm_of(case_, Collective::all_reduce))
      .run({endpoint_, group, phase, workspace_}, count, reduction, sums, elements);
  is_finished_ = is_finished(matmul_.situation, to);
  c_.elements = is_finished_ ? elements : widened(reduction.out, elements, count);
}

/// The one rounding to `out`, as soon as nothing will be added any more.
void RankRun::finish_if_due(const PlanState& from, const PlanState& to) {
  if (is_finished_ || !is_finished(matmul_.situation, to)) return;
  SHARDCHECK_REQUIRE(!is_finished(matmul_.situation, from), "C is finished once");
  c_.elements = narrowed(case_.dtypes.out, c_.elements, c_.count());
  is_finished_ = true;
}

void RankRun::take_step(std::int64_t phase, const Step& step, const PlanState& from,
                        const PlanState& to) {
  switch (step.kind) {
    case Step::Kind::slice: slice(step, from, to); break;
    case Step::Kind::gather: gather(phase, step, from, to); break;
    case Step::Kind::exchange: exchange_shard(phase, step, from, to); break;
    case Step::Kind::local: multiply(from, to); break;
    case Step::Kind::reduce_scatter: reduce_scatter(phase, step, from, to); break;
    case Step::Kind::all_reduce: all_reduce(phase, step, to); break;
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter:
    case Step::Kind::summa:
    case Step::Kind::cannon:
      break;
  }
  finish_if_due(from, to);
}

void RankRun::write_result() {
  const TensorState& consumer = matmul_.situation.consumer;
  const Shard wanted = held(consumer, nullptr);
  const Positions rows =
      positions_in(c_.rows, wanted.rows, pool_.extent(consumer.rows), workspace_);
  const Positions columns =
      positions_in(c_.columns, wanted.columns, pool_.extent(consumer.columns), workspace_);
  const std::int64_t width = info(case_.dtypes.out).bytes;
  SHARDCHECK_REQUIRE(wanted.count() * width <= static_cast<std::int64_t>(memory_.c.size()),
                     "an output has room for the whole of C");
  select(c_, rows, columns, width, memory_.c.data());
}

void RankRun::run() {
  workspace_.begin(endpoint_);
  const std::vector<PlanState>& states = matmul_.plan.states;
  a_ = held(states.front().a, memory_.a.data());
  b_ = held(states.front().b, memory_.b.data());
  for (std::size_t at = 0; at < matmul_.plan.steps.size(); ++at) {
    take_step(static_cast<std::int64_t>(at), matmul_.plan.steps[at], states[at], states[at + 1]);
  }
  write_result();
}

}  // namespace

void run_rank(const Matmul& matmul, Endpoint& endpoint, const RankMemory& memory,
              Workspace& workspace, LocalProduct& product) {
  RankRun(matmul, endpoint, memory, workspace, product).run();
}

}  // namespace shardcheck::impl
