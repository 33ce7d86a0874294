#pragma once

/// The bit patterns of the narrow floats, and how a wider float is rounded into them.
///
///     encode<F16>(65520.0f) == 0x7c00      // infinity: a tie that rounds up past the largest
///     decode<Bf16>(0x3f80) == 1.0f
///
/// A value in the subnormal range of the narrow format is rounded by the machine itself: adding a
/// power of two whose last place is the narrow format's smallest number leaves the count of those
/// in the low bits. Everywhere else an integer addition of half a last place rounds, and its carry
/// moves on into the exponent. Sources: IEEE 754-2019; OCP 8-bit Floating Point Specification 1.0.

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace shardcheck::impl {

/// `overflow` is the pattern of everything above the largest number: infinity, or NaN where the
/// format has none.
template <typename Word, int exponent_bits, int fraction_bits, unsigned overflow_pattern,
          unsigned nan_pattern>
struct NarrowFloat {
  using Pattern = Word;
  static constexpr int exponent = exponent_bits;
  static constexpr int fraction = fraction_bits;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr unsigned overflow = overflow_pattern;
  static constexpr unsigned nan = nan_pattern;
};

using F8e4m3fn = NarrowFloat<std::uint8_t, 4, 3, 0x7f, 0x7f>;
using F8e5m2 = NarrowFloat<std::uint8_t, 5, 2, 0x7c, 0x7e>;
using F16 = NarrowFloat<std::uint16_t, 5, 10, 0x7c00, 0x7e00>;
using Bf16 = NarrowFloat<std::uint16_t, 8, 7, 0x7f80, 0x7fc0>;

/// A float that the machine computes in.
template <typename Real>
struct MachineFloat {
  static constexpr bool is_double = std::is_same_v<Real, double>;
  using Bits = std::conditional_t<is_double, std::uint64_t, std::uint32_t>;
  static constexpr int fraction = is_double ? 52 : 23;
  static constexpr int bias = is_double ? 1023 : 127;
  static constexpr Bits magnitude = ~Bits{0} >> 1;
  static constexpr Bits infinity = static_cast<Bits>(2 * bias + 1) << fraction;
};

/// 2^exponent. Requires: a normal number.
template <typename Real>
constexpr Real power_of_two(int exponent) {
  using Machine = MachineFloat<Real>;
  using Bits = typename Machine::Bits;
  return std::bit_cast<Real>(static_cast<Bits>(exponent + Machine::bias) << Machine::fraction);
}

template <typename Format, typename Real>
inline typename Format::Pattern encode(Real value) {
  using Machine = MachineFloat<Real>;
  using Bits = typename Machine::Bits;
  constexpr int shift = Machine::fraction - Format::fraction;
  constexpr Bits rebias = static_cast<Bits>(Machine::bias - Format::bias) << Machine::fraction;
  const Bits bits = std::bit_cast<Bits>(value);
  const Bits magnitude = bits & Machine::magnitude;
  const Bits half_below = (Bits{1} << (shift - 1)) - 1;
  const Bits rounded = (magnitude - rebias + half_below + ((magnitude >> shift) & 1)) >> shift;
  Bits pattern = rounded;
  if constexpr (rebias != 0) {
    // The narrow format's smallest number is 2^(1 - bias - fraction).
    constexpr Real anchor =
        power_of_two<Real>(1 - Format::bias - Format::fraction + Machine::fraction);
    const Real counted = std::bit_cast<Real>(magnitude) + anchor;
    const Bits subnormal = std::bit_cast<Bits>(counted) - std::bit_cast<Bits>(anchor);
    constexpr Bits smallest_normal = static_cast<Bits>(Machine::bias + 1 - Format::bias)
                                     << Machine::fraction;
    pattern = magnitude < smallest_normal ? subnormal : rounded;
  }
  pattern = pattern < Format::overflow ? pattern : Bits{Format::overflow};
  constexpr int sign_at = Format::exponent + Format::fraction;
  const Bits sign = (bits >> (8 * sizeof(Bits) - 1)) << sign_at;
  const bool is_nan = magnitude > Machine::infinity ||
                      (Format::overflow == Format::nan && pattern == Format::overflow);
  return static_cast<typename Format::Pattern>(is_nan ? Bits{Format::nan} : sign | pattern);
}

template <typename Format>
inline float decode(typename Format::Pattern pattern) {
  constexpr int shift = 23 - Format::fraction;
  constexpr std::uint32_t sign_bit = 1U << (Format::exponent + Format::fraction);
  const std::uint32_t magnitude = pattern & (sign_bit - 1);
  const std::uint32_t sign = (pattern & sign_bit) != 0 ? 0x80000000U : 0U;
  // The exponent field is too small by the difference of the biases; the multiplication mends it,
  // for subnormal numbers too.
  std::uint32_t bits = magnitude << shift;
  if constexpr (Format::exponent < 8) {
    bits = std::bit_cast<std::uint32_t>(std::bit_cast<float>(bits) *
                                        power_of_two<float>(127 - Format::bias));
    const bool is_infinity = Format::overflow != Format::nan && magnitude == Format::overflow;
    bits = is_infinity ? 0x7f800000U : bits;
  }
  const bool is_nan =
      Format::overflow == Format::nan ? magnitude == Format::nan : magnitude > Format::overflow;
  return std::bit_cast<float>(is_nan ? 0x7fc00000U : sign | bits);
}

/// The same number with one pattern for every NaN.
template <typename Real>
inline Real canonical(Real value) {
  return value == value ? value : std::numeric_limits<Real>::quiet_NaN();
}

}  // namespace shardcheck::impl
