#include "dtype_rules.h"

namespace shardcheck {
namespace {

/// Significant bits and exponents of the least and the greatest power of two that is a value.
struct FloatRange {
  int precision = 0;
  int exponent_min = 0;
  int exponent_max = 0;
};

FloatRange float_range(Dtype dtype) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return {4, -9, 8};
    case Dtype::f8e5m2: return {3, -16, 15};
    case Dtype::f16: return {11, -24, 15};
    case Dtype::bf16: return {8, -133, 127};
    case Dtype::f32: return {24, -149, 127};
    case Dtype::f64: return {53, -1074, 1023};
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16:
    case Dtype::i32:
    case Dtype::u32:
    case Dtype::i64:
    case Dtype::u64: return {};
  }
  return {};
}

bool is_float_accumulator(Dtype dtype) {
  return dtype == Dtype::f16 || dtype == Dtype::bf16 || dtype == Dtype::f32 || dtype == Dtype::f64;
}

/// 32 or 64 bits, no wider than `wide`, of its signedness.
bool is_integer_within(Dtype narrow, Dtype wide) {
  return !info(narrow).is_float && info(narrow).is_signed == info(wide).is_signed &&
         info(narrow).bytes >= 4 && info(narrow).bytes <= info(wide).bytes;
}

}  // namespace

bool holds_every_value(Dtype wide, Dtype narrow) {
  if (info(wide).is_float != info(narrow).is_float) return false;
  if (info(wide).is_float) {
    const FloatRange a = float_range(wide);
    const FloatRange b = float_range(narrow);
    return a.precision >= b.precision && a.exponent_min <= b.exponent_min &&
           a.exponent_max >= b.exponent_max;
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
