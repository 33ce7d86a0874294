// The local product beside Eigen's own, both on one thread and without -march: sizes of square
// products, and the share of a 1024-cube that one of four ranks multiplies after a K split.
// The last line of a run says how Eigen's time relates to ours, size by size.

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <Eigen/Core>

#include <shardcheck/impl/local_product.h>

namespace {

using shardcheck::Dtype;
using shardcheck::Fma;
using shardcheck::Kernel;
using shardcheck::impl::ProductShape;

template <typename T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename T>
constexpr Dtype dtype_of() {
  return sizeof(T) == 4 ? Dtype::f32 : Dtype::f64;
}

ProductShape shape_of(const benchmark::State& state) {
  return {state.range(0), state.range(1), state.range(2)};
}

void count_work(benchmark::State& state, const ProductShape& shape) {
  state.counters["multiply_adds"] =
      benchmark::Counter(static_cast<double>(shape.rows * shape.depth * shape.columns),
                         benchmark::Counter::kIsIterationInvariantRate);
}

template <typename T>
void ours(benchmark::State& state) {
  const ProductShape shape = shape_of(state);
  const Matrix<T> a = Matrix<T>::Random(shape.rows, shape.depth);
  const Matrix<T> b = Matrix<T>::Random(shape.depth, shape.columns);
  Matrix<T> c(shape.rows, shape.columns);
  std::vector<std::byte> scratch(static_cast<std::size_t>(
      shardcheck::impl::scratch_bytes(Kernel::fast, Fma::no, dtype_of<T>(), shape)));
  for (auto _ : state) {
    shardcheck::impl::local_product(Kernel::fast, Fma::no, dtype_of<T>(), shape,
                                    reinterpret_cast<const std::byte*>(a.data()),
                                    reinterpret_cast<const std::byte*>(b.data()),
                                    reinterpret_cast<std::byte*>(c.data()), scratch.data());
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  count_work(state, shape);
}

template <typename T>
void eigen(benchmark::State& state) {
  const ProductShape shape = shape_of(state);
  const Matrix<T> a = Matrix<T>::Random(shape.rows, shape.depth);
  const Matrix<T> b = Matrix<T>::Random(shape.depth, shape.columns);
  Matrix<T> c(shape.rows, shape.columns);
  for (auto _ : state) {
    c.noalias() = a * b;
    benchmark::DoNotOptimize(c.data());
    benchmark::ClobberMemory();
  }
  count_work(state, shape);
}

void shapes(benchmark::internal::Benchmark* bench) {
  bench->Args({8, 8, 8})->Args({40, 40, 40})->Args({256, 256, 256})->Args({1024, 256, 1024});
}

BENCHMARK(ours<float>)->Apply(shapes);
BENCHMARK(eigen<float>)->Apply(shapes);
BENCHMARK(ours<double>)->Apply(shapes);
BENCHMARK(eigen<double>)->Apply(shapes);

/// Prints as usual, and notes each time for the ratios.
class Ratios : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration) seconds_[run.benchmark_name()] = cpu_seconds(run);
    }
    benchmark::ConsoleReporter::ReportRuns(runs);
  }

  void print() const {
    for (const auto& [name, seconds] : seconds_) {
      if (!name.starts_with("ours")) continue;
      const auto eigen_run = seconds_.find("eigen" + name.substr(4));
      if (eigen_run == seconds_.end()) continue;
      fmt::print("{}: {:.0f}% of Eigen's speed\n", name, 100 * eigen_run->second / seconds);
    }
  }

 private:
  static double cpu_seconds(const Run& run) {
    return run.cpu_accumulated_time / static_cast<double>(run.iterations);
  }

  std::map<std::string, double> seconds_;
};

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  Ratios ratios;
  benchmark::RunSpecifiedBenchmarks(&ratios);
  ratios.print();
  return 0;
}
