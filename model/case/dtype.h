#pragma once

/// The dtypes that a case may name: their names and widths, and which of them may be combined.
///
/// A table and nothing else. How a number is rounded into a dtype is defined twice on purpose, once
/// in model/ from the standard's text and once in impl/ for speed, and never here.
///
///     info(Dtype::bf16).bytes == 2
///
/// Sources: IEEE 754-2019 (f16, f32, f64); bf16 as the upper half of f32; OCP 8-bit Floating Point
/// Specification 1.0 (f8e4m3fn: no infinity, one NaN per sign; f8e5m2: IEEE-like).

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace shardcheck {

enum class Dtype : std::uint8_t {
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  i64,
  u64,
  f8e4m3fn,
  f8e5m2,
  f16,
  bf16,
  f32,
  f64
};

/// How a floating dtype lays out its bits, from the highest: sign, exponent, fraction; and which of
/// its patterns are no numbers.
struct FloatBits {
  enum class Specials : std::uint8_t {
    ieee,  ///< the exponent of all ones: infinity, and NaN with any fraction but 0
    fn,    ///< no infinity; all ones is NaN
    fnuz   ///< no infinity, no negative zero: its pattern is the one NaN; biased by one more
  };

  int exponent_bits = 8;
  int fraction_bits = 23;
  Specials specials = Specials::ieee;
};

constexpr bool has_infinity(const FloatBits& f) { return f.specials == FloatBits::Specials::ieee; }
constexpr bool has_negative_zero(const FloatBits& f) {
  return f.specials != FloatBits::Specials::fnuz;
}

struct DtypeInfo {
  Dtype dtype = Dtype::f32;
  std::string_view name;
  int bytes = 4;  ///< width of one element
  bool is_float = true;
  bool is_signed = true;
  FloatBits float_bits;  ///< floats alone
};

/// In the order of the enumerators.
inline constexpr std::array<DtypeInfo, 14> dtypes{{
    {Dtype::i8, "i8", 1, false, true, {}},
    {Dtype::u8, "u8", 1, false, false, {}},
    {Dtype::i16, "i16", 2, false, true, {}},
    {Dtype::u16, "u16", 2, false, false, {}},
    {Dtype::i32, "i32", 4, false, true, {}},
    {Dtype::u32, "u32", 4, false, false, {}},
    {Dtype::i64, "i64", 8, false, true, {}},
    {Dtype::u64, "u64", 8, false, false, {}},
    {Dtype::f8e4m3fn, "f8e4m3fn", 1, true, true, {4, 3, FloatBits::Specials::fn}},
    {Dtype::f8e5m2, "f8e5m2", 1, true, true, {5, 2}},
    {Dtype::f16, "f16", 2, true, true, {5, 10}},
    {Dtype::bf16, "bf16", 2, true, true, {8, 7}},
    {Dtype::f32, "f32", 4, true, true, {8, 23}},
    {Dtype::f64, "f64", 8, true, true, {11, 52}},
}};

constexpr const DtypeInfo& info(Dtype dtype) { return dtypes[static_cast<std::size_t>(dtype)]; }

/// Requires: a float.
constexpr const FloatBits& float_bits(Dtype dtype) { return info(dtype).float_bits; }

constexpr std::optional<Dtype> dtype_named(std::string_view name) {
  for (const DtypeInfo& entry : dtypes) {
    if (entry.name == name) return entry.dtype;
  }
  return std::nullopt;
}

/// The four dtypes of one case.
struct DtypeCombination {
  Dtype in = Dtype::f32;    ///< elements of A and B
  Dtype acc = Dtype::f32;   ///< the accumulator
  Dtype wire = Dtype::f32;  ///< a partial sum while it travels
  Dtype out = Dtype::f32;   ///< the result, also while it travels

  bool operator==(const DtypeCombination&) const = default;
};

}  // namespace shardcheck
