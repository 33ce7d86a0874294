#include <algorithm>

#include "regimes.h"
#include "values.h"

namespace shardcheck {
namespace {

constexpr std::uint64_t regime = 4;

enum class Role : std::uint8_t { large, cancelling, tiny };

/// What a term is in its sum. A large term and the one that cancels it have the same `number`.
struct Part {
  Role role = Role::tiny;
  std::int64_t number = 0;
};

Part part_of(const InputPlace& place) {
  const std::int64_t large_count = (place.terms + 1) / 3;
  if (place.term < large_count) return {Role::large, place.term};
  if (place.term >= 2 * large_count) return {Role::tiny, place.term};
  const auto turn = static_cast<std::int64_t>(place.seed % static_cast<std::uint64_t>(large_count));
  return {Role::cancelling, (place.term - large_count + turn) % large_count};
}

/// By which power of two the factor differs from the large one's. Both factors differ, or else A's
/// term meeting B's next would change nothing.
int shift_of(Role role, std::uint64_t tensor) {
  if (role != Role::cancelling || tensor == 0) return 0;
  return tensor == 1 ? -1 : 1;
}

Bits cancel_integer(Dtype in, const Part& part, std::uint64_t tensor, std::uint64_t hash) {
  const int width = 8 * info(in).bytes;
  const Bits mask = ~Bits{0} >> (64 - width);
  const std::uint64_t choice = mixed(hash);
  bool is_negative = info(in).is_signed && (choice & 1) != 0;
  if (part.role == Role::tiny) {
    const Bits value = 1 + (hash >> 32) % 3;
    return is_negative ? (Bits{0} - value) & mask : value;
  }
  const Bits eighth = Bits{1} << (width - 3);
  Bits value = eighth + (hash & (eighth - 1));
  // As for floats, A's large value is twice that of its counterpart, B's half of it.
  const bool is_doubled = tensor == 2 ? part.role == Role::cancelling : part.role == Role::large;
  if (tensor != 0 && is_doubled) value *= 2;
  if (part.role == Role::cancelling && tensor != 2) is_negative = !is_negative;
  return is_negative ? (Bits{0} - value) & mask : value;
}

/// Where the exponents of a factor, or of a lone term, lie.
struct Levels {
  int large = 0;
  int tiny = 0;
};

/// Of an exponent of terms: the factor's half, or all of it for a lone term.
int share_of(int whole, std::uint64_t tensor) {
  if (tensor == 0) return whole;
  return tensor == 1 ? whole / 2 : whole - whole / 2;
}

Levels levels_of(const DtypeCombination& d, const InputPlace& place) {
  const FloatBits& f = float_bits(d.in);
  const int precision = std::min(exact_bits(d.acc), exact_bits(d.wire));
  const int greatest =
      std::min(exponent_greatest(float_bits(d.acc)), exponent_greatest(float_bits(d.wire)));
  // Large terms below 2^(large + 2): all of them together stay below 2^(greatest - 1).
  const int large = std::min(precision, greatest - 3 - carry_bits(place.terms));
  // Room for two powers of two above, and for one below where the significand still has its full
  // width: a large factor and its counterpart have the same one.
  const auto within = [&f](int exponent) {
    return std::clamp(exponent, exponent_least(f) + f.fraction_bits + 2, exponent_greatest(f) - 2);
  };
  const int reached =
      place.tensor == 0 ? within(large) : within(share_of(large, 1)) + within(share_of(large, 2));
  return {within(share_of(large, place.tensor)), share_of(reached - precision, place.tensor)};
}

}  // namespace

Bits cancel_value(const DtypeCombination& d, const InputPlace& place) {
  const Dtype in = d.in;
  const Part part = part_of(place);
  const std::uint64_t seed = tensor_seed(place.seed, regime, place.tensor);
  const std::uint64_t hash = hashed(seed, part.number, place.outer);
  if (!info(in).is_float) return cancel_integer(in, part, place.tensor, hash);
  const FloatBits& f = float_bits(in);
  const Levels levels = levels_of(d, place);
  const std::uint64_t choice = mixed(hash);
  const int step = static_cast<int>((choice >> 32) % 2) - 1;
  const bool is_negative = (choice & 1) != 0;
  if (part.role == Role::tiny) {
    const int exponent = std::clamp(levels.tiny + step, exponent_least(f), exponent_greatest(f));
    return encoded_between_powers(in, is_negative, hash, exponent);
  }
  const bool is_turned = part.role == Role::cancelling && place.tensor != 2;
  return encoded_between_powers(in, is_negative != is_turned, hash,
                                levels.large + step + shift_of(part.role, place.tensor));
}

}  // namespace shardcheck
