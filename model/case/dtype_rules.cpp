#include "dtype_rules.h"

#include "number_bits.h"

namespace shardcheck {
namespace {

bool is_float_accumulator(Dtype dtype) { return info(dtype).is_float && info(dtype).bytes >= 2; }

/// 32 or 64 bits, no wider than `wide`, of its signedness.
bool is_integer_within(Dtype narrow, Dtype wide) {
  return !info(narrow).is_float && info(narrow).is_signed == info(wide).is_signed &&
         info(narrow).bytes >= 4 && info(narrow).bytes <= info(wide).bytes;
}

}  // namespace

bool holds_every_value(Dtype wide, Dtype narrow) {
  if (info(wide).is_float != info(narrow).is_float) return false;
  if (info(wide).is_float) {
    const FloatBits& a = float_bits(wide);
    const FloatBits& b = float_bits(narrow);
    return a.fraction_bits >= b.fraction_bits && exponent_least(a) <= exponent_least(b) &&
           exponent_greatest(a) >= exponent_greatest(b) && (has_infinity(a) || !has_infinity(b)) &&
           (has_negative_zero(a) || !has_negative_zero(b));
  }
  if (info(wide).is_signed == info(narrow).is_signed) return info(wide).bytes >= info(narrow).bytes;
  return info(wide).is_signed && info(wide).bytes > info(narrow).bytes;
}

bool is_legal(const DtypeCombination& c) {
  if (!holds_every_value(c.acc, c.in)) return false;
  if (info(c.in).is_float) {
    return is_float_accumulator(c.acc) && holds_every_value(c.acc, c.wire) && info(c.out).is_float;
  }
  return info(c.acc).bytes >= 4 && is_integer_within(c.wire, c.acc) &&
         is_integer_within(c.out, c.wire);
}

const std::vector<DtypeCombination>& legal_combinations() {
  static const std::vector<DtypeCombination> combinations = [] {
    std::vector<DtypeCombination> legal;
    for (const DtypeInfo& in : dtypes) {
      for (const DtypeInfo& acc : dtypes) {
        for (const DtypeInfo& wire : dtypes) {
          for (const DtypeInfo& out : dtypes) {
            const DtypeCombination c{in.dtype, acc.dtype, wire.dtype, out.dtype};
            if (is_legal(c)) legal.push_back(c);
          }
        }
      }
    }
    return legal;
  }();
  return combinations;
}

Dtype default_acc(Dtype in) {
  if (info(in).is_float) return info(in).bytes < 4 ? Dtype::f32 : in;
  return info(in).bytes < 4 ? Dtype::i32 : in;
}

Dtype default_out(Dtype in, Dtype acc) { return info(in).is_float ? in : acc; }

}  // namespace shardcheck
