#include <algorithm>

#include "regimes.h"
#include "values.h"

namespace shardcheck {
namespace {

constexpr std::uint64_t regime = 5;

Bits negated(Dtype dtype, bool is_negative, Bits magnitude) {
  if (!is_negative) return magnitude;
  const int width = 8 * info(dtype).bytes;
  if (info(dtype).is_float) return magnitude | sign_bit(float_bits(dtype));
  return (Bits{0} - magnitude) & (~Bits{0} >> (64 - width));
}

Bits special_integer(Dtype in, std::uint64_t choice) {
  const int width = 8 * info(in).bytes;
  const Bits all_ones = ~Bits{0} >> (64 - width);
  const Bits top_bit = Bits{1} << (width - 1);
  const bool is_negative = info(in).is_signed && (choice >> 32 & 1) != 0;
  switch (choice % 16) {
    case 0: return all_ones;
    case 1: return top_bit;
    case 2: return top_bit - 1;
    case 3: return all_ones - 1;
    case 4:
    case 5: return 0;
    default: return negated(in, is_negative, 1 + choice % 3);
  }
}

}  // namespace

Bits special_value(const DtypeCombination& d, const InputPlace& place) {
  const Dtype in = d.in;
  const std::uint64_t seed = tensor_seed(place.seed, regime, place.tensor);
  const std::uint64_t hash = hashed(seed, place.term, place.outer);
  const std::uint64_t choice = mixed(hash);
  if (!info(in).is_float) return special_integer(in, choice);
  const FloatBits& f = float_bits(in);
  const bool is_negative = (choice >> 32 & 1) != 0;
  const Bits largest = largest_bits(f);
  const Bits infinity = has_infinity(f) ? infinity_bits(f) : largest;
  // One row of A, and one column of B, in four or five has a value that a sum doesn't come back
  // from, whatever the number of terms: else long sums would be NaN all over.
  switch ((hash >> 32) % static_cast<std::uint64_t>(16 * std::max<std::int64_t>(place.terms, 1))) {
    case 0: return nan_bits(f);
    case 1: return infinity;
    case 2: return negated(in, true, infinity);
    case 3: return negated(in, is_negative, largest);
    default: break;
  }
  switch (choice % 16) {
    case 0:
    case 1: return has_negative_zero(f) ? sign_bit(f) : 0;
    case 2: return 0;
    case 3: return negated(in, is_negative, 1);
    case 4: return negated(in, is_negative, Bits{1} << f.fraction_bits);
    default: return encoded(in, is_negative, 1 + choice % 3, 0);
  }
}

}  // namespace shardcheck
