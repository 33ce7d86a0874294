#include "run_case.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>

#include <shardcheck/impl/plan/partition.h>

namespace shardcheck::impl {
namespace {

std::vector<std::byte> shard_of(const ProductCase& subject, Tensor tensor, std::int64_t rank) {
  const Grid grid = make_grid(subject.mesh);
  const auto [row_axis, column_axis] = axes_of(tensor);
  const Layout& how = layout(subject, tensor);
  const AxisLists rows = cut(grid, extent(subject, row_axis), how.rows);
  const AxisLists columns = cut(grid, extent(subject, column_axis), how.columns);
  const auto held_rows = list_of(rows, cell_of(grid, rows.over, rank));
  const auto held_columns = list_of(columns, cell_of(grid, columns.over, rank));
  const std::vector<Bits>& values =
      tensor == Tensor::a ? subject.data.given[0] : subject.data.given[1];
  const std::int64_t row_length = extent(subject, column_axis);
  const auto width = static_cast<std::size_t>(info(subject.dtypes.in).bytes);
  std::vector<std::byte> shard(held_rows.size() * held_columns.size() * width);
  std::int64_t at = 0;
  for (const std::int32_t row : held_rows) {
    for (const std::int32_t column : held_columns) {
      store(shard, subject.dtypes.in, at++,
            values[static_cast<std::size_t>(row * row_length + column)]);
    }
  }
  return shard;
}

struct FloatShape {
  int exponent_bits;
  int fraction_bits;
};

FloatShape shape_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return {4, 3};
    case Dtype::f8e5m2: return {5, 2};
    case Dtype::f16: return {5, 10};
    case Dtype::bf16: return {8, 7};
    case Dtype::f32: return {8, 23};
    default: return {11, 52};
  }
}

}  // namespace

double number(Dtype dtype, Bits bits) {
  if (!info(dtype).is_float) {
    const int unused = 64 - 8 * info(dtype).bytes;
    if (!info(dtype).is_signed) return static_cast<double>(bits);
    return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
  }
  const FloatShape shape = shape_of(dtype);
  const Bits fraction = bits & ((Bits{1} << shape.fraction_bits) - 1);
  const Bits exponent = bits >> shape.fraction_bits & ((Bits{1} << shape.exponent_bits) - 1);
  const double sign = (bits >> (8 * info(dtype).bytes - 1) & 1) != 0 ? -1.0 : 1.0;
  const int bias = (1 << (shape.exponent_bits - 1)) - 1;
  const bool is_top = exponent == (Bits{1} << shape.exponent_bits) - 1;
  if (dtype == Dtype::f8e4m3fn ? is_top && fraction == 7 : is_top && fraction != 0) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  if (is_top && dtype != Dtype::f8e4m3fn) return sign * std::numeric_limits<double>::infinity();
  const Bits significand = exponent == 0 ? fraction : fraction | Bits{1} << shape.fraction_bits;
  const int scale = (exponent == 0 ? 1 : static_cast<int>(exponent)) - bias - shape.fraction_bits;
  return sign * std::ldexp(static_cast<double>(significand), scale);
}

std::vector<std::vector<double>> CaseRun::numbers() const {
  std::vector<std::vector<double>> all;
  for (const std::vector<Bits>& rank : results) {
    all.emplace_back();
    for (const Bits bits : rank) all.back().push_back(number(subject.dtypes.out, bits));
  }
  return all;
}

std::vector<std::int64_t> CaseRun::sent() const {
  std::vector<std::int64_t> bytes(results.size(), 0);
  for (const Transfer& transfer : seen.ledger->sent) {
    bytes[static_cast<std::size_t>(transfer.source)] += transfer.bytes;
  }
  return bytes;
}

CaseRun run_case(std::string_view line, bool trace) {
  const auto parsed = parse_product(line);
  SHARDCHECK_REQUIRE(parsed.has_value(), "a test's case line parses");
  return run_case(*parsed, trace);
}

CaseRun run_case(const ProductCase& subject, bool trace) {
  ShardedBackend backend;
  return run_case(backend, subject, trace);
}

CaseRun run_case(ShardedBackend& backend, const ProductCase& subject, bool trace) {
  const auto ranks = static_cast<std::size_t>(rank_count(subject.mesh));
  const auto room =
      static_cast<std::size_t>(subject.i * subject.j * info(subject.dtypes.out).bytes);
  std::vector<std::array<std::vector<std::byte>, 2>> shards(ranks);
  std::vector<std::array<std::span<const std::byte>, 2>> operands(ranks);
  std::vector<std::vector<std::byte>> c(ranks, std::vector<std::byte>(room));
  std::vector<RankMemory> memory(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (const Tensor tensor : {Tensor::a, Tensor::b}) {
      const auto number = static_cast<std::size_t>(tensor);
      shards[rank][number] = shard_of(subject, tensor, static_cast<std::int64_t>(rank));
      operands[rank][number] = shards[rank][number];
    }
    memory[rank] = {operands[rank], c[rank]};
  }
  CaseRun run;
  run.subject = subject;
  run.seen = backend.run({subject, memory, trace});
  run.results.resize(ranks);
  for (std::size_t rank = 0; rank < run.seen.owned.size(); ++rank) {
    for (std::size_t at = 0; at < run.seen.owned[rank].size(); ++at) {
      run.results[rank].push_back(load(c[rank], subject.dtypes.out, static_cast<std::int64_t>(at)));
    }
  }
  return run;
}

}  // namespace shardcheck::impl
