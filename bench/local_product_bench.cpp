// The local product on one thread: GFLOP/s of ours and, for floats and doubles, of the libraries
// that were found, each with the ratio of ours to its time. SHARDCHECK_ISA chooses an instruction
// set of ours. Each result is compared once, before it is timed, with the plain loop's, bit for
// bit, in some rows.

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <shardcheck/impl/numbers/convert.h>
#include <shardcheck/impl/rank/local_product.h>

#include "dense_peers.h"
#include "interleaved.h"

namespace {

using namespace shardcheck;
using bench::Clock;
using bench::dense_peers;
using bench::Interleaved;
using impl::Multiplication;
using impl::ProductShape;
using impl::Sums;

/// A, B and C of one product; A's and B's numbers lie between 1 and 2.
class Product {
 public:
  Product(const Multiplication& how, const ProductShape& shape)
      : how_(how),
        shape_(shape),
        a_(elements(shape.rows * shape.depth)),
        b_(elements(shape.depth * shape.columns)),
        c_(words(shape.rows * shape.columns * width())),
        scratch_(words(impl::scratch_bytes(how, shape))) {}

  void run() {
    impl::local_product(how_, shape_, {shape_.depth, shape_.columns, shape_.columns}, bytes(a_),
                        bytes(b_), bytes(c_), Sums::begin, bytes(scratch_));
    benchmark::ClobberMemory();
  }

  /// The first, the last and a middle row by the plain loop have the same bits.
  bool is_right() {
    run();
    Multiplication plain = how_;
    plain.kernel = Kernel::ordered;
    const ProductShape row_shape{1, shape_.depth, shape_.columns};
    auto scratch = words(impl::scratch_bytes(plain, row_shape));
    auto row_of_c = words(shape_.columns * width());
    for (const std::int64_t row : {std::int64_t{0}, shape_.rows / 2, shape_.rows - 1}) {
      impl::local_product(plain, row_shape, {shape_.depth, shape_.columns, shape_.columns},
                          bytes(a_) + row * shape_.depth * info(how_.in).bytes, bytes(b_),
                          bytes(row_of_c), Sums::begin, bytes(scratch));
      const auto row_bytes = shape_.columns * width();
      if (std::memcmp(bytes(row_of_c), bytes(c_) + row * row_bytes,
                      static_cast<std::size_t>(row_bytes)) != 0) {
        return false;
      }
    }
    return true;
  }

  template <typename Real>
  const Real* a() const {
    return reinterpret_cast<const Real*>(a_.data());
  }
  template <typename Real>
  const Real* b() const {
    return reinterpret_cast<const Real*>(b_.data());
  }

 private:
  using Words = std::vector<std::uint64_t>;

  static Words words(std::int64_t bytes) { return Words(static_cast<std::size_t>(bytes + 7) / 8); }
  static std::byte* bytes(Words& words) { return reinterpret_cast<std::byte*>(words.data()); }
  std::int64_t width() const { return impl::bytes_of(impl::storage_of(how_.acc)); }

  Words elements(std::int64_t count) const {
    std::mt19937_64 random(1);
    Words filled = words(count * info(how_.in).bytes);
    if (!info(how_.in).is_float) {
      for (std::uint64_t& word : filled) word = random();
      return filled;
    }
    std::vector<double> numbers(static_cast<std::size_t>(count));
    for (double& number : numbers) number = 1 + static_cast<double>(random() >> 12U) * 0x1p-52;
    impl::narrow(impl::Storage::f64, reinterpret_cast<const std::byte*>(numbers.data()), how_.in,
                 bytes(filled), count);
    return filled;
  }

  Multiplication how_;
  ProductShape shape_;
  Words a_;
  Words b_;
  Words c_;
  Words scratch_;
};

template <typename Real>
void add_peers(const ProductShape& shape, const Product& product, std::vector<Real>& c,
               Interleaved& turns) {
  c.resize(static_cast<std::size_t>(shape.rows * shape.columns));
  for (const auto& peer : dense_peers<Real>(1)) {
    turns.add(peer.name, [&shape, &product, &c, multiply = peer.multiply] {
      multiply(shape, product.a<Real>(), product.b<Real>(), c.data());
      benchmark::ClobberMemory();
    });
  }
}

void compare(benchmark::State& state, const Multiplication& how, const ProductShape& shape) {
  Product product(how, shape);
  if (!product.is_right()) {
    state.SkipWithError("not the plain loop's bits");
    return;
  }
  Interleaved turns(2.0 * static_cast<double>(shape.rows * shape.depth * shape.columns),
                    Clock::own_thread);
  turns.add("ours", [&product] { product.run(); });
  std::vector<float> floats;
  std::vector<double> doubles;
  if (how.in == Dtype::f32 && how.acc == Dtype::f32) add_peers(shape, product, floats, turns);
  if (how.in == Dtype::f64) add_peers(shape, product, doubles, turns);
  turns.run(state);
}

std::string name_of(const Multiplication& how) {
  std::string name(info(how.in).name);
  if (how.acc != how.in || info(how.acc).bytes == 2)
    name += fmt::format(" acc={}", info(how.acc).name);
  return how.fma == Fma::yes ? name + " fma=yes" : name;
}

void add(const Multiplication& how, const ProductShape& shape) {
  const std::string name =
      fmt::format("{}/{}x{}x{}", name_of(how), shape.rows, shape.depth, shape.columns);
  benchmark::RegisterBenchmark(
      name.c_str(), [how, shape](benchmark::State& state) { compare(state, how, shape); })
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<ProductShape> shapes{
      {64, 64, 64},     {256, 256, 256}, {1024, 1024, 1024}, {16, 4096, 4096}, {4096, 4096, 64},
      {4096, 64, 4096}, {64, 65536, 64}, {64, 64, 65536},    {1, 4096, 4096},  {4096, 4096, 1}};
  for (const Fma fma : {Fma::yes, Fma::no}) {
    for (const ProductShape& shape : shapes)
      add({Kernel::fast, fma, Dtype::f32, Dtype::f32}, shape);
    for (const std::int64_t size : {256, 1024}) {
      add({Kernel::fast, fma, Dtype::f64, Dtype::f64}, {size, size, size});
    }
    for (const Dtype in : {Dtype::bf16, Dtype::f16}) {
      add({Kernel::fast, fma, in, Dtype::f32}, {1024, 1024, 1024});
      add({Kernel::fast, fma, in, in}, {256, 256, 256});
    }
  }
  for (const auto& [in, acc] : {std::pair{Dtype::i8, Dtype::i32}, std::pair{Dtype::i32, Dtype::i32},
                                std::pair{Dtype::i64, Dtype::i64}}) {
    add({Kernel::fast, Fma::no, in, acc}, {256, 256, 256});
  }
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::AddCustomContext(
      "isa", std::string(impl::isas[static_cast<std::size_t>(impl::chosen_isa())].name));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
