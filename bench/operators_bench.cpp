// What a reduction does to one element, by operator and dtype, on one core and within its second
// cache: elements a second that arrive in dtype in and are combined with partials of dtype acc.

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <shardcheck/impl/numbers/operators.h>

namespace {

using shardcheck::Dtype;
using shardcheck::Operator;
using shardcheck::impl::Side;

constexpr std::int64_t element_count = 16384;

struct Pair {
  Dtype in;
  Dtype acc;
};

constexpr std::array pairs{
    Pair{Dtype::f8e4m3fn, Dtype::f32}, Pair{Dtype::f16, Dtype::f32},   Pair{Dtype::f16, Dtype::f16},
    Pair{Dtype::bf16, Dtype::f32},     Pair{Dtype::bf16, Dtype::bf16}, Pair{Dtype::f32, Dtype::f32},
    Pair{Dtype::f64, Dtype::f64},      Pair{Dtype::i8, Dtype::i8},     Pair{Dtype::i16, Dtype::i16},
    Pair{Dtype::u32, Dtype::u32},      Pair{Dtype::i64, Dtype::i64}};

void combine(benchmark::State& state, Operator op, Pair dtypes) {
  std::mt19937 random(1);
  std::vector<std::byte> source(8 * element_count);
  for (std::byte& byte : source) byte = static_cast<std::byte>(random() % 64);
  std::vector<std::byte> sums = source;
  for (auto _ : state) {
    shardcheck::impl::combine_widened(op, Side::left, dtypes.in, source.data(), dtypes.acc,
                                      sums.data(), element_count);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * element_count);
}

}  // namespace

int main(int count, char** arguments) {
  for (const Pair& dtypes : pairs) {
    for (const auto& row : shardcheck::operators) {
      const bool is_float = info(dtypes.acc).is_float;
      const bool is_for_floats = row.op <= Operator::max;
      if (row.op == Operator::average || (is_float && !is_for_floats)) continue;
      if (row.op == Operator::matrix && dtypes.acc != Dtype::u32) continue;
      const std::string name = std::string(row.name) + " in=" + std::string(info(dtypes.in).name) +
                               " acc=" + std::string(info(dtypes.acc).name);
      benchmark::RegisterBenchmark(name.c_str(), [op = row.op, dtypes](benchmark::State& state) {
        combine(state, op, dtypes);
      });
    }
  }
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
