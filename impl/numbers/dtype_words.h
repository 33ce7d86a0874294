#pragma once

/// Dtypes as types, so that a loop over elements is compiled once for each dtype and asks nothing
/// inside.
///
///     dispatch_float(dtype, [&](auto element) { ... decltype(element)::value(word) ... });
///
/// A dtype's type has the `Word` that lies in memory, value(word), the number that it stands for,
/// and word(number), the number rounded into the dtype.

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/dtype.h>

#include "float_bits.h"

namespace shardcheck::impl {

/// A float narrower than the machine's.
template <typename Format>
struct Narrow {
  using Word = typename Format::Pattern;
  static float value(Word word) { return decode<Format>(word); }
  template <typename Real>
  static Word word(Real number) {
    return encode<Format>(number);
  }
};

/// A float that the machine computes in.
template <typename Real>
struct Wide {
  using Word = Real;
  static Real value(Word word) { return word; }
  template <typename Other>
  static Word word(Other number) {
    return canonical(static_cast<Real>(number));
  }
};

/// An integer; widening extends it by its sign if it has one.
template <typename Int>
struct Whole {
  using Word = Int;
  static Int value(Word word) { return word; }
  template <typename Unsigned>
  static Word word(Unsigned number) {
    return static_cast<Int>(number);
  }
};

/// Calls `with` for the dtype, as a type.
template <typename Function>
auto dispatch_float(Dtype dtype, Function with) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return with(Narrow<F8e4m3fn>{});
    case Dtype::f8e5m2: return with(Narrow<F8e5m2>{});
    case Dtype::f16: return with(Narrow<F16>{});
    case Dtype::bf16: return with(Narrow<Bf16>{});
    case Dtype::f32: return with(Wide<float>{});
    case Dtype::f64: return with(Wide<double>{});
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16:
    case Dtype::i32:
    case Dtype::u32:
    case Dtype::i64:
    case Dtype::u64: break;
  }
  SHARDCHECK_REQUIRE(false, "floats and integers don't mix in a legal case");
  return with(Wide<double>{});
}

template <typename Function>
auto dispatch_integer(Dtype dtype, Function with) {
  switch (dtype) {
    case Dtype::i8: return with(Whole<std::int8_t>{});
    case Dtype::u8: return with(Whole<std::uint8_t>{});
    case Dtype::i16: return with(Whole<std::int16_t>{});
    case Dtype::u16: return with(Whole<std::uint16_t>{});
    case Dtype::i32: return with(Whole<std::int32_t>{});
    case Dtype::u32: return with(Whole<std::uint32_t>{});
    case Dtype::i64: return with(Whole<std::int64_t>{});
    case Dtype::u64: return with(Whole<std::uint64_t>{});
    case Dtype::f8e4m3fn:
    case Dtype::f8e5m2:
    case Dtype::f16:
    case Dtype::bf16:
    case Dtype::f32:
    case Dtype::f64: break;
  }
  SHARDCHECK_REQUIRE(false, "floats and integers don't mix in a legal case");
  return with(Whole<std::uint64_t>{});
}

}  // namespace shardcheck::impl
