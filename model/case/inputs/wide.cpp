#include <algorithm>

#include "regimes.h"
#include "values.h"

namespace shardcheck {
namespace {

constexpr std::uint64_t regime = 3;

/// Both ends included.
struct Exponents {
  int low = 0;
  int high = 0;
};

Exponents exponents_of(Dtype dtype) {
  const FloatBits& f = float_bits(dtype);
  return {exponent_least(f), exponent_greatest(f)};
}

Exponents common(const Exponents& one, const Exponents& other) {
  return {std::max(one.low, other.low), std::min(one.high, other.high)};
}

/// A quarter of all hashes each near the low and the high end, the rest anywhere.
int drawn(const Exponents& from, std::uint64_t hash) {
  const auto count = static_cast<std::uint64_t>(from.high - from.low) + 1;
  const auto near = static_cast<int>((hash >> 32) % std::min<std::uint64_t>(count, 8));
  switch (hash % 4) {
    case 0: return from.low + near;
    case 1: return from.high - near;
    default: return from.low + static_cast<int>((hash >> 32) % count);
  }
}

Bits wide_integer(Dtype in, std::uint64_t hash) {
  const int width = 8 * info(in).bytes;
  const auto shift = static_cast<int>((mixed(hash) >> 32) % static_cast<std::uint64_t>(width));
  const int unused = 64 - width;
  if (!info(in).is_signed) return hash >> unused >> shift;
  const auto value = static_cast<std::int64_t>(hash) >> unused >> shift;
  return static_cast<Bits>(value) & (~Bits{0} >> unused);
}

}  // namespace

Bits wide_value(const DtypeCombination& d, const InputPlace& place) {
  const Dtype in = d.in;
  const std::uint64_t seed = tensor_seed(place.seed, regime, place.tensor);
  const std::uint64_t hash = hashed(seed, place.term, place.outer);
  if (!info(in).is_float) return wide_integer(in, hash);
  const Exponents own = exponents_of(in);
  Exponents sums = common(exponents_of(d.acc), common(exponents_of(d.wire), exponents_of(d.out)));
  int of_term = 0;
  if (place.tensor != 0) {
    // The two factors share the range of the sum, and what one has more the other has less.
    sums = {sums.low / 2, sums.high / 2};
    const std::uint64_t common_seed = tensor_seed(place.seed, regime, 0);
    of_term = drawn({-(own.high / 2), own.high / 2}, hashed(common_seed, place.term));
    if (place.tensor == 2) of_term = -of_term;
  }
  const int of_outer = drawn(common(own, sums), hashed(seed, place.outer));
  const std::uint64_t choice = mixed(hash);
  int exponent = of_outer + of_term + static_cast<int>((choice >> 32) % 4);
  if ((choice >> 8) % 64 == 0) {
    exponent = own.low + static_cast<int>((choice >> 32) %
                                          static_cast<std::uint64_t>(own.high - own.low + 1));
  }
  return encoded_between_powers(in, (choice & 1) != 0, hash,
                                std::clamp(exponent, own.low, own.high));
}

}  // namespace shardcheck
