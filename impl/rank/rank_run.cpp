#include "rank_run.h"

namespace shardcheck::impl {
namespace {

/// A row-major part of a shard, where it lies or copied.
struct Part {
  const std::byte* elements = nullptr;
  std::int64_t row_step = 0;
};

Part part_of(const Shard& shard, const Positions& rows, const Positions& columns,
             std::int64_t element_bytes, Workspace& workspace) {
  const std::int64_t row_length = shard.column_count();
  const auto first_row = first_of_run(rows);
  const auto first_column = first_of_run(columns);
  if (first_row && first_column) {
    return {shard.elements + (*first_row * row_length + *first_column) * element_bytes, row_length};
  }
  const std::int64_t row_count = rows ? static_cast<std::int64_t>(rows->size()) : shard.row_count();
  const std::int64_t column_count =
      columns ? static_cast<std::int64_t>(columns->size()) : row_length;
  std::byte* elements = workspace.take(row_count * column_count * element_bytes);
  select(shard, rows, columns, element_bytes, elements);
  return {elements, column_count};
}

}  // namespace

RankRun::RankRun(const Matmul& shared, Endpoint& own_endpoint, const RankMemory& own_memory,
                 Workspace& own_workspace, LocalProduct& noted)
    : matmul(shared),
      pool(shared.situation.pool),
      subject(shared.situation.subject),
      endpoint(own_endpoint),
      memory(own_memory),
      workspace(own_workspace),
      product(noted),
      rank(own_endpoint.rank()),
      storage(storage_of(subject.dtypes.acc)) {}

std::int64_t RankRun::element_bytes(Tensor tensor) const {
  if (tensor != Tensor::c) return info(subject.dtypes.in).bytes;
  return is_c_finished ? info(subject.dtypes.out).bytes : bytes_of(storage);
}

Dtype RankRun::travelling_dtype(Tensor tensor) const {
  if (tensor != Tensor::c) return subject.dtypes.in;
  return is_c_finished ? subject.dtypes.out : subject.dtypes.wire;
}

Reduction RankRun::reduction_to(const PlanState& to) const {
  const bool finishes = is_finished(matmul.situation, to);
  return {subject.dtypes.acc, subject.dtypes.wire,
          finishes ? subject.dtypes.out : subject.dtypes.wire};
}

std::byte* RankRun::narrowed(Dtype to, const std::byte* sums, std::int64_t count) {
  std::byte* elements = workspace.take(count * info(to).bytes);
  narrow(storage, sums, to, elements, count);
  return elements;
}

std::byte* RankRun::widened(Dtype from, const std::byte* elements, std::int64_t count) {
  std::byte* sums = workspace.take(count * bytes_of(storage));
  widen(from, elements, storage, sums, count);
  return sums;
}

Shard RankRun::rows_in_order(const Shard& operand, Indices ks) {
  const Positions rows = positions_in(operand.rows, ks, subject.k, workspace);
  if (!rows) return operand;
  const std::int64_t width = info(subject.dtypes.in).bytes;
  std::byte* elements = workspace.take(operand.count() * width);
  select(operand, rows, std::nullopt, width, elements);
  return {ks, operand.columns, elements};
}

std::byte* RankRun::room_for_sums(std::int64_t count) {
  return workspace.take(count * bytes_of(storage));
}

void RankRun::multiply(const Shard& a_shard, const Shard& b_shard, const ProductLists& lists,
                       const SumsWindow& window, Sums sums) {
  const Workspace::Mark mark = workspace.mark();
  const std::int64_t width = info(subject.dtypes.in).bytes;
  const Part a_part =
      part_of(a_shard, positions_in(a_shard.rows, lists.rows, subject.i, workspace),
              positions_in(a_shard.columns, lists.ks, subject.k, workspace), width, workspace);
  const Part b_part =
      part_of(b_shard, positions_in(b_shard.rows, lists.ks, subject.k, workspace),
              positions_in(b_shard.columns, lists.columns, subject.j, workspace), width, workspace);
  const ProductShape shape{static_cast<std::int64_t>(lists.rows.size()),
                           static_cast<std::int64_t>(lists.ks.size()),
                           static_cast<std::int64_t>(lists.columns.size())};
  const Multiplication how{subject.kernel, subject.fma, subject.dtypes.in, subject.dtypes.acc};
  local_product(how, shape, {a_part.row_step, b_part.row_step, window.row_step}, a_part.elements,
                b_part.elements, window.elements, sums, workspace.take(scratch_bytes(how, shape)));
  workspace.release(mark);
}

void RankRun::note_ks(Indices ks) {
  product.rank = rank;
  product.a_columns.insert(product.a_columns.end(), ks.begin(), ks.end());
  product.b_rows.insert(product.b_rows.end(), ks.begin(), ks.end());
}

void RankRun::note_partial(Indices rows, Indices columns, const std::byte* sums) {
  if (!matmul.trace) return;
  const Workspace::Mark mark = workspace.mark();
  const auto count = static_cast<std::int64_t>(rows.size() * columns.size());
  const Dtype acc = subject.dtypes.acc;
  const std::span bytes(narrowed(acc, sums, count),
                        static_cast<std::size_t>(count * info(acc).bytes));
  std::int64_t at = 0;
  for (const std::int32_t row : rows) {
    for (const std::int32_t column : columns) {
      product.coordinates.push_back(row * subject.j + column);
      product.partial.push_back(load(bytes, acc, at++));
    }
  }
  workspace.release(mark);
}

}  // namespace shardcheck::impl
