#include <algorithm>

#include "parts.h"

namespace shardcheck {
namespace {

/// Bits that a sum keeps in the dtype; integers wrap and so keep all of them.
int significant_bits(Dtype dtype) {
  switch (dtype) {
    case Dtype::f8e5m2: return 3;
    case Dtype::f8e4m3fn: return 4;
    case Dtype::bf16: return 8;
    case Dtype::f16: return 11;
    case Dtype::f32: return 24;
    case Dtype::f64: return 53;
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16:
    case Dtype::i32:
    case Dtype::u32:
    case Dtype::i64:
    case Dtype::u64: return 64;
  }
  return 0;
}

int narrowest_bits(const DtypeCombination& combination) {
  return std::min({significant_bits(combination.acc), significant_bits(combination.wire),
                   significant_bits(combination.out)});
}

/// 8-bit floats spread their exponents widest, so that one term hides behind another soonest.
bool hides_terms_soon(const DtypeCombination& combination) {
  const bool is_in_f8 = info(combination.in).is_float && info(combination.in).bytes == 1;
  const int bits = narrowest_bits(combination);
  return bits <= 4 || (is_in_f8 && bits <= 8);
}

}  // namespace

std::int64_t terms_max(const DtypeCombination& combination, std::int64_t element_count) {
  constexpr std::int64_t few = 2;
  constexpr std::int64_t any_number = std::int64_t{1} << 40;
  if (hides_terms_soon(combination)) return std::max(few, element_count);
  return narrowest_bits(combination) <= 8 ? std::max(few, 4 * element_count) : any_number;
}

}  // namespace shardcheck
