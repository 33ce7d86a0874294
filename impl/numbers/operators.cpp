#include "operators.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "convert.h"
#include "dtype_words.h"
#include "vector_forms.h"

namespace shardcheck::impl {
namespace {

/// Elements that are widened at a time, so that they stay in a core's first cache.
constexpr std::int64_t block_count = 512;

template <typename Format, typename Real>
inline float round_narrow(Real value) {
  return decode<Format>(encode<Format>(value));
}

/// Without a branch, so that the loop over it is one of vectors. Equal numbers differ in their sign
/// at most: the lesser of two zeros is the one that has it.
template <typename Real>
Real lesser(Real one, Real other) {
  using Bits = typename MachineFloat<Real>::Bits;
  const Real either = std::bit_cast<Real>(std::bit_cast<Bits>(one) | std::bit_cast<Bits>(other));
  const Real least = one == other ? either : one < other ? one : other;
  const bool is_nan = !(one == one) | !(other == other);
  return is_nan ? std::numeric_limits<Real>::quiet_NaN() : least;
}

template <typename Real>
Real greater(Real one, Real other) {
  using Bits = typename MachineFloat<Real>::Bits;
  const Real either = std::bit_cast<Real>(std::bit_cast<Bits>(one) & std::bit_cast<Bits>(other));
  const Real most = one == other ? either : one > other ? one : other;
  const bool is_nan = !(one == one) | !(other == other);
  return is_nan ? std::numeric_limits<Real>::quiet_NaN() : most;
}

/// 2×2 matrices modulo 251, an entry a byte, row-major from the lowest.
std::uint32_t matrix_product(std::uint32_t left, std::uint32_t right) {
  const auto entry = [](std::uint32_t matrix, int place) {
    return (matrix >> (8 * place) & 0xffU) % 251U;
  };
  std::uint32_t product = 0;
  for (int row = 0; row < 2; ++row) {
    for (int column = 0; column < 2; ++column) {
      const std::uint32_t sum = entry(left, 2 * row) * entry(right, column) +
                                entry(left, 2 * row + 1) * entry(right, 2 + column);
      product |= sum % 251U << (8 * (2 * row + column));
    }
  }
  return product;
}

template <typename Word>
Word load_word(const std::byte* words, std::int64_t at) {
  Word word;
  std::memcpy(&word, words + at * static_cast<std::int64_t>(sizeof(Word)), sizeof(Word));
  return word;
}

template <typename Word>
void store_word(Word word, std::byte* words, std::int64_t at) {
  std::memcpy(words + at * static_cast<std::int64_t>(sizeof(Word)), &word, sizeof(Word));
}

template <typename Word, typename Combine>
inline void combine_in_place(const std::byte* __restrict source, std::byte* __restrict sums,
                             std::int64_t count, Combine operation) {
  for (std::int64_t n = 0; n < count; ++n) {
    store_word(operation(load_word<Word>(source, n), load_word<Word>(sums, n)), sums, n);
  }
}

template <typename Word, typename Combine>
inline void combine_apart(const std::byte* __restrict source, const std::byte* __restrict own,
                          std::byte* __restrict sums, std::int64_t count, Combine operation) {
  for (std::int64_t n = 0; n < count; ++n) {
    store_word(operation(load_word<Word>(source, n), load_word<Word>(own, n)), sums, n);
  }
}

/// Operands and partials in storage, with the loop over all.
template <typename Stored>
struct Pairs {
  const std::byte* source;
  const std::byte* own;
  std::byte* sums;  ///< `own` itself, or apart from it
  std::int64_t count;

  template <typename Combine>
  void combine(Combine operation) const {
    if (own == sums) {
      vectorised([=, this] { combine_in_place<Stored>(source, sums, count, operation); });
    } else {
      vectorised([=, this] { combine_apart<Stored>(source, own, sums, count, operation); });
    }
  }
};

/// Sums and products are rounded to `acc`. A product is exact in double where acc is f16 or bf16.
void combine_rounded(Operator op, Dtype acc, const Pairs<float>& pairs) {
  if (op == Operator::product) {
    if (acc == Dtype::f16) {
      return pairs.combine([](double x, double y) { return round_narrow<F16>(x * y); });
    }
    if (acc == Dtype::bf16) {
      return pairs.combine([](double x, double y) { return round_narrow<Bf16>(x * y); });
    }
    return pairs.combine([](float x, float y) { return x * y; });
  }
  if (acc == Dtype::f16) {
    return pairs.combine([](float x, float y) { return round_narrow<F16>(x + y); });
  }
  if (acc == Dtype::bf16) {
    return pairs.combine([](float x, float y) { return round_narrow<Bf16>(x + y); });
  }
  pairs.combine([](float x, float y) { return x + y; });
}

void combine_rounded(Operator op, Dtype, const Pairs<double>& pairs) {
  if (op == Operator::product) return pairs.combine([](double x, double y) { return x * y; });
  pairs.combine([](double x, double y) { return x + y; });
}

template <typename Real>
void combine_floats(Operator op, Dtype acc, const Pairs<Real>& pairs) {
  switch (op) {
    case Operator::sum:
    case Operator::average:
    case Operator::product: return combine_rounded(op, acc, pairs);
    case Operator::min: return pairs.combine([](Real x, Real y) { return lesser(x, y); });
    case Operator::max: return pairs.combine([](Real x, Real y) { return greater(x, y); });
    case Operator::bit_and:
    case Operator::bit_or:
    case Operator::bit_xor:
    case Operator::matrix: break;
  }
  SHARDCHECK_REQUIRE(false, "operators on bits are for integers");
}

/// `Int`: the storage word, signed if acc is.
template <typename Int, typename Word>
void combine_extremes(Operator op, const Pairs<Word>& pairs) {
  const auto is_less = [](Word x, Word y) { return static_cast<Int>(x) < static_cast<Int>(y); };
  if (op == Operator::min) {
    return pairs.combine([is_less](Word x, Word y) { return is_less(x, y) ? x : y; });
  }
  pairs.combine([is_less](Word x, Word y) { return is_less(x, y) ? y : x; });
}

template <typename Word>
void combine_integers(Operator op, Side side, Dtype acc, const Pairs<Word>& pairs) {
  switch (op) {
    case Operator::sum:
    case Operator::average: return pairs.combine([](Word x, Word y) { return x + y; });
    case Operator::product: return pairs.combine([](Word x, Word y) { return x * y; });
    case Operator::min:
    case Operator::max:
      if (info(acc).is_signed) return combine_extremes<std::make_signed_t<Word>>(op, pairs);
      return combine_extremes<Word>(op, pairs);
    case Operator::bit_and: return pairs.combine([](Word x, Word y) { return x & y; });
    case Operator::bit_or: return pairs.combine([](Word x, Word y) { return x | y; });
    case Operator::bit_xor: return pairs.combine([](Word x, Word y) { return x ^ y; });
    case Operator::matrix:
      if constexpr (std::is_same_v<Word, std::uint32_t>) {
        if (side == Side::left) return pairs.combine(matrix_product);
        return pairs.combine([](Word x, Word y) { return matrix_product(y, x); });
      }
  }
  SHARDCHECK_REQUIRE(false, "a matrix is a u32");
}

template <typename Int>
void divide_integers(std::int64_t divisor, std::byte* sums, std::int64_t count) {
  using Word = std::conditional_t<sizeof(Int) == 8, std::uint64_t, std::uint32_t>;
  using Wide = std::conditional_t<std::is_signed_v<Int>, std::int64_t, std::uint64_t>;
  auto* sum = reinterpret_cast<Word*>(sums);
  for (std::int64_t n = 0; n < count; ++n) {
    const auto wrapped = static_cast<Wide>(static_cast<Int>(sum[n]));
    sum[n] = static_cast<Word>(wrapped / static_cast<Wide>(divisor));
  }
}

template <typename Real, typename Divide>
void divide_floats(std::byte* sums, std::int64_t count, Divide quotient) {
  auto* sum = reinterpret_cast<Real*>(sums);
  for (std::int64_t n = 0; n < count; ++n) sum[n] = quotient(sum[n]);
}

}  // namespace

void combine_into(Operator op, Side side, Dtype acc, const std::byte* operand, const std::byte* own,
                  std::byte* sums, std::int64_t count) {
  switch (storage_of(acc)) {
    case Storage::f32: return combine_floats(op, acc, Pairs<float>{operand, own, sums, count});
    case Storage::f64: return combine_floats(op, acc, Pairs<double>{operand, own, sums, count});
    case Storage::u32:
      return combine_integers(op, side, acc, Pairs<std::uint32_t>{operand, own, sums, count});
    case Storage::u64:
      return combine_integers(op, side, acc, Pairs<std::uint64_t>{operand, own, sums, count});
  }
}

void combine_stored(Operator op, Side side, Dtype acc, const std::byte* operand, std::byte* sums,
                    std::int64_t count) {
  combine_into(op, side, acc, operand, sums, sums, count);
}

void combine_widened(Operator op, Side side, Dtype from, const std::byte* source, Dtype acc,
                     std::byte* sums, std::int64_t count) {
  const Storage storage = storage_of(acc);
  if (is_stored_as_is(from, storage)) return combine_stored(op, side, acc, source, sums, count);
  alignas(64) std::array<std::byte, 8 * block_count> widened;
  for (std::int64_t start = 0; start < count; start += block_count) {
    const std::int64_t length = std::min(block_count, count - start);
    widen(from, source + start * info(from).bytes, storage, widened.data(), length);
    combine_stored(op, side, acc, widened.data(), sums + start * bytes_of(storage), length);
  }
}

void divide(Dtype acc, std::int64_t divisor, std::byte* sums, std::int64_t count) {
  const auto by = static_cast<double>(divisor);
  if (acc == Dtype::f64) {
    divide_floats<double>(sums, count, [by](double sum) { return sum / by; });
  } else if (acc == Dtype::f32) {
    const auto exact = static_cast<float>(divisor);
    divide_floats<float>(sums, count, [exact](float sum) { return sum / exact; });
  } else if (acc == Dtype::f16) {
    // A quotient of so few bits lies on no tie of f16 that rounding to double could make or break.
    divide_floats<float>(sums, count, [by](float sum) { return round_to_f16(sum / by); });
  } else if (acc == Dtype::bf16) {
    divide_floats<float>(sums, count, [by](float sum) { return round_to_bf16(sum / by); });
  } else {
    dispatch_integer(acc, [&](auto element) {
      divide_integers<typename decltype(element)::Word>(divisor, sums, count);
    });
  }
}

bool serves(Operator op, Dtype dtype) {
  switch (op) {
    case Operator::sum:
    case Operator::product:
    case Operator::min:
    case Operator::max:
    case Operator::average: return true;
    case Operator::bit_and:
    case Operator::bit_or:
    case Operator::bit_xor: return !info(dtype).is_float;
    case Operator::matrix: return dtype == Dtype::u32;
  }
  return false;
}

}  // namespace shardcheck::impl
