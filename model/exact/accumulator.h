#pragma once

/// Arithmetic in dtype acc, one type an accumulator, all with the same members, so that a replay is
/// written once and runs at the machine's speed:
///
///     Value widen(Bits)                 an input element, dtype in
///     Value multiply_add(sum, x, y)     product rounded, then sum rounded
///     Value fused(sum, x, y)            rounded once
///     Value add(x, y), multiply(x, y)
///     Value divide(x, count)            rounded once; integers: x modulo 2^width of acc, truncated
///     Value through_wire(x)             rounded to wire and widened again
///     Bits to_acc(x), Bits to_out(x)
///     Value from_acc(Bits)              floats alone
///
/// f32 and f64 are the machine's own (-ffp-contract=off keeps products and sums apart). f16 and
/// bf16 run in double: a product of two of their values is a double, and a sum rounded to 53 bits
/// before it is rounded to 11 or 8 is the sum rounded once, for 53 >= 2·11 + 2 (Figueroa 1995); a
/// quotient that lies on no tie of 12 bits is at least 2^-12 / count away from it, in parts of it.
/// Integers run modulo 2^64: out <= wire <= acc, and reducing modulo 2^width at the end gives the
/// same bits as at every step. accumulator_test.cpp proves all of them equal to format.h.

#include <cmath>

#include "native.h"

namespace shardcheck::model {

/// What all float accumulators share. `Real` is float or double.
template <class Real>
class FloatAccumulator {
 public:
  using Value = Real;
  static constexpr bool is_float = true;

  explicit FloatAccumulator(const DtypeCombination& dtypes)
      : in_(dtypes.in),
        acc_dtype_(dtypes.acc),
        acc_(float_format(dtypes.acc)),
        wire_(float_format(dtypes.wire)),
        out_(float_format(dtypes.out)),
        is_wire_narrower_(dtypes.wire != dtypes.acc) {}

  Value widen(Bits bits) const { return static_cast<Value>(value_of(in_, bits)); }
  Value from_acc(Bits bits) const { return static_cast<Value>(value_of(acc_dtype_, bits)); }
  Bits sign_bit() const { return Bits{1} << (acc_.width - 1); }
  bool is_wire_narrower() const { return is_wire_narrower_; }
  Value through_wire(Value x) const {
    return is_wire_narrower_ ? static_cast<Value>(round_to(wire_, static_cast<double>(x))) : x;
  }
  Bits to_acc(Value x) const { return pattern_of(acc_, static_cast<double>(x)); }
  Bits to_out(Value x) const { return pattern_of(out_, round_to(out_, static_cast<double>(x))); }

 private:
  Dtype in_;
  Dtype acc_dtype_;
  const FloatFormat& acc_;
  const FloatFormat& wire_;
  const FloatFormat& out_;
  bool is_wire_narrower_;
};

/// f32 and f64.
template <class Real>
class NativeAccumulator : public FloatAccumulator<Real> {
 public:
  using FloatAccumulator<Real>::FloatAccumulator;

  static Real add(Real x, Real y) { return x + y; }
  static Real multiply(Real x, Real y) { return x * y; }
  static Real divide(Real x, std::int64_t count) { return x / static_cast<Real>(count); }
  static Real multiply_add(Real sum, Real x, Real y) { return sum + x * y; }
  static Real fused(Real sum, Real x, Real y) { return std::fma(x, y, sum); }
};

/// f16 and bf16.
template <Dtype acc>
class NarrowAccumulator : public FloatAccumulator<double> {
 public:
  using FloatAccumulator<double>::FloatAccumulator;

  static double add(double x, double y) { return round_to(float_format(acc), x + y); }
  static double multiply(double x, double y) { return round_to(float_format(acc), x * y); }
  static double multiply_add(double sum, double x, double y) { return add(sum, multiply(x, y)); }
  static double divide(double x, std::int64_t count) {
    return round_to(float_format(acc), x / static_cast<double>(count));
  }
  static double fused(double sum, double x, double y) {
    return fused_in_narrow(float_format(acc), x, y, sum);
  }
};

class IntegerAccumulator {
 public:
  using Value = std::uint64_t;
  static constexpr bool is_float = false;

  explicit IntegerAccumulator(const DtypeCombination& dtypes) : dtypes_(dtypes) {}

  Value widen(Bits bits) const { return widened(dtypes_.in, bits); }
  static Value add(Value x, Value y) { return x + y; }
  static Value multiply(Value x, Value y) { return x * y; }
  Value divide(Value x, std::int64_t count) const {
    const Value whole = widened(dtypes_.acc, to_acc(x));
    if (!info(dtypes_.acc).is_signed) return whole / static_cast<Value>(count);
    return static_cast<Value>(static_cast<std::int64_t>(whole) / count);
  }
  static Value multiply_add(Value sum, Value x, Value y) { return sum + x * y; }
  static Value fused(Value sum, Value x, Value y) { return sum + x * y; }
  static Value through_wire(Value x) { return x; }
  Bits to_acc(Value x) const { return low_bits(dtypes_.acc, x); }
  Bits to_out(Value x) const { return low_bits(dtypes_.out, x); }

 private:
  static Value widened(Dtype dtype, Bits bits) {
    const int unused = 64 - 8 * info(dtype).bytes;
    if (!info(dtype).is_signed) return bits;
    return static_cast<Value>(static_cast<std::int64_t>(bits << unused) >> unused);
  }
  static Bits low_bits(Dtype dtype, Value x) {
    return x & (~Bits{0} >> (64 - 8 * info(dtype).bytes));
  }

  DtypeCombination dtypes_;
};

/// Calls `use` with the accumulator of a case of floats. Requires: acc is a float.
template <class Use>
auto with_float_accumulator(const DtypeCombination& dtypes, const Use& use) {
  switch (dtypes.acc) {
    case Dtype::f16: return use(NarrowAccumulator<Dtype::f16>(dtypes));
    case Dtype::bf16: return use(NarrowAccumulator<Dtype::bf16>(dtypes));
    case Dtype::f32: return use(NativeAccumulator<float>(dtypes));
    case Dtype::f64: return use(NativeAccumulator<double>(dtypes));
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16:
    case Dtype::i32:
    case Dtype::u32:
    case Dtype::i64:
    case Dtype::u64:
    case Dtype::f8e4m3fn:
    case Dtype::f8e5m2: break;
  }
  SHARDCHECK_REQUIRE(false, "f16, bf16, f32 and f64 are the float accumulators");
  return use(NativeAccumulator<float>(dtypes));
}

}  // namespace shardcheck::model
