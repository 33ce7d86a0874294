#include "masks.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/number_bits.h>

namespace shardcheck {
namespace {

int precision(Dtype dtype) { return float_bits(dtype).fraction_bits + 1; }

Bits power_of_two(Dtype dtype, bool is_negative, int exponent) {
  const auto bits = bits_of(dtype, normalised(is_negative, 1, exponent));
  SHARDCHECK_REQUIRE(bits, "masks keep to the powers of two of `in`");
  return *bits;
}

}  // namespace

tl::expected<Masks, std::string> masks_for(const DtypeCombination& d, int factors) {
  if (!info(d.in).is_float) {
    return tl::unexpected<std::string>(
        fmt::format("integers ({}) give the same sum in every order", info(d.in).name));
  }
  const FloatBits& in = float_bits(d.in);
  Masks masks;
  masks.unit = factors * exponent_least(in);
  masks.huge = factors * exponent_greatest(in);
  int counted = 6;
  for (const Dtype dtype : {d.acc, d.wire, d.out}) {
    masks.unit = std::max(masks.unit, exponent_least(float_bits(dtype)));
    counted = std::min(counted, precision(dtype));
  }
  // The huge ones have cancelled before a result is rounded to out, but they travel.
  for (const Dtype dtype : {d.acc, d.wire}) {
    masks.huge = std::min(masks.huge, exponent_greatest(float_bits(dtype)));
  }
  // Below a power of two numbers lie half as far apart as above it, and a tie goes to the power.
  counted = std::min({counted, masks.huge - masks.unit - precision(d.acc) - 1,
                      exponent_greatest(float_bits(d.out)) - masks.unit - 1});
  if (counted < 0) {
    return tl::unexpected<std::string>(fmt::format(
        "no number of in={0} wire={1} is so large that acc={2} absorbs another beside it; take "
        "dtypes with more range, as in=f32",
        info(d.in).name, info(d.wire).name, info(d.acc).name));
  }
  masks.units_max = std::int64_t{1} << counted;
  return masks;
}

Bits masked(const DtypeCombination& d, const Masks& masks, int factors, int factor,
            MaskedTerm term) {
  if (term == MaskedTerm::zero && factor == 0) return 0;
  const bool is_huge = term == MaskedTerm::huge || term == MaskedTerm::negative_huge;
  const int whole = is_huge ? masks.huge : masks.unit;
  const int first = factors == 1 ? whole : whole / 2;
  return power_of_two(d.in, term == MaskedTerm::negative_huge && factor == 0,
                      factor == 0 ? first : whole - first);
}

std::int64_t units_in(const DtypeCombination& d, const Masks& masks, Bits result) {
  const FloatBits& out = float_bits(d.out);
  if (!is_finite(out, result & ~sign_bit(out))) return -1;
  const ExactNumber number = number_of(out, result);
  if (number.significand == 0) return 0;
  const int shift = number.exponent - masks.unit;
  const bool is_count = !number.is_negative && shift >= 0 && shift <= 62 &&
                        number.significand <= static_cast<std::uint64_t>(masks.units_max) >> shift;
  return is_count ? static_cast<std::int64_t>(number.significand << shift) : -1;
}

}  // namespace shardcheck
