#include "inputs.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/number_bits.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

__extension__ typedef __int128 Wide;

ProductCase case_of(DtypeCombination dtypes, Data::Regime regime, std::int64_t i, std::int64_t j,
                    std::int64_t k, std::uint64_t seed = 0) {
  ProductCase subject;
  subject.i = i;
  subject.j = j;
  subject.k = k;
  subject.dtypes = dtypes;
  subject.data.regime = regime;
  subject.data.seed = seed;
  return subject;
}

/// Significant bits, from the standards.
int precision(Dtype dtype) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return 4;
    case Dtype::f8e5m2: return 3;
    case Dtype::f16: return 11;
    case Dtype::bf16: return 8;
    case Dtype::f32: return 24;
    case Dtype::f64: return 53;
    case Dtype::i32: return 31;
    case Dtype::u32: return 32;
    case Dtype::i64: return 63;
    case Dtype::u64: return 64;
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16: break;
  }
  return 0;
}

int narrowest(const DtypeCombination& d) {
  return std::min({precision(d.acc), precision(d.wire), precision(d.out)});
}

/// The value times 2^scale. Every value of `ints` and `probe` is then an integer.
std::int64_t scaled(Dtype dtype, Bits bits, int scale) {
  if (info(dtype).is_float) {
    const ExactNumber number = number_of(float_bits(dtype), bits);
    EXPECT_GE(number.exponent + scale, 0);
    const auto magnitude =
        static_cast<std::int64_t>(number.significand << (number.exponent + scale));
    return number.is_negative ? -magnitude : magnitude;
  }
  const int unused = 64 - 8 * info(dtype).bytes;
  if (!info(dtype).is_signed) return static_cast<std::int64_t>(bits);
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

struct Shape {
  std::int64_t i, j, k;
};

constexpr std::array<Shape, 9> shapes{{{1, 1, 1},
                                       {1, 1, 2},
                                       {1, 1, 9},
                                       {2, 3, 40},
                                       {7, 1, 40},
                                       {1, 7, 40},
                                       {4, 4, 17},
                                       {3, 2, 300},
                                       {5, 6, 8}}};

TEST(Inputs, IntsStayWithinTheBudgetOfTheNarrowestDtype) {
  for (const DtypeCombination& d : legal_combinations()) {
    for (const Shape& s : shapes) {
      const ProductCase subject = case_of(d, Data::Regime::ints, s.i, s.j, s.k, 5);
      const Inputs inputs(subject);
      const Wide budget = Wide{1} << narrowest(d);
      for (std::int64_t i = 0; i < s.i; ++i) {
        for (std::int64_t j = 0; j < s.j; ++j) {
          Wide sum = 0;
          for (std::int64_t k = 0; k < s.k; ++k) {
            const Wide a = scaled(d.in, inputs.at(Tensor::a, i, k), 0);
            const Wide b = scaled(d.in, inputs.at(Tensor::b, k, j), 0);
            sum += a * b < 0 ? -a * b : a * b;
          }
          ASSERT_LE(sum, budget) << print(subject);
          ASSERT_GT(sum, 0) << print(subject) << ": an output that nothing contributes to";
        }
      }
    }
  }
}

/// The k that no output would show.
std::int64_t hidden_count(const ProductCase& subject) {
  const Inputs inputs(subject);
  std::int64_t hidden = 0;
  for (std::int64_t k = 0; k < subject.k; ++k) {
    bool is_in_a = false;
    bool is_in_b = false;
    for (std::int64_t i = 0; i < subject.i; ++i) {
      is_in_a = is_in_a || inputs.at(Tensor::a, i, k) != 0;  // +0, or the integer 0
    }
    for (std::int64_t j = 0; j < subject.j; ++j) {
      is_in_b = is_in_b || inputs.at(Tensor::b, k, j) != 0;
    }
    if (!is_in_a || !is_in_b) ++hidden;
  }
  return hidden;
}

TEST(Inputs, EveryKIsShownWhereTheElementsOfCHaveRoom) {
  for (const Data::Regime regime : {Data::Regime::ints, Data::Regime::probe}) {
    for (const DtypeCombination& d : legal_combinations()) {
      for (const Shape& s : shapes) {
        // ints has room for 2^p terms an element, probe for 2^p - 2 that are counted.
        const std::int64_t room = (std::int64_t{1} << std::min(narrowest(d), 40)) -
                                  (regime == Data::Regime::probe ? 2 : 0);
        const std::int64_t needed = (s.k + room - 1) / room;
        const ProductCase subject = case_of(d, regime, s.i, s.j, s.k);
        if (needed <= s.i * s.j) {
          ASSERT_EQ(hidden_count(subject), 0) << print(subject);
        } else {
          // At least the full share of each element.
          const std::int64_t each = s.k / needed;
          ASSERT_LE(hidden_count(subject), s.k - each * s.i * s.j) << print(subject);
        }
      }
    }
  }
}

/// A's k meeting B's k + 1 and the other way round changes C by (a_k - a_k+1)·(b_k+1 - b_k).
bool shows_mispairing(const ProductCase& subject, std::int64_t k) {
  const Inputs inputs(subject);
  bool is_in_a = false;
  bool is_in_b = false;
  for (std::int64_t i = 0; i < subject.i; ++i) {
    is_in_a = is_in_a || inputs.at(Tensor::a, i, k) != inputs.at(Tensor::a, i, k + 1);
  }
  for (std::int64_t j = 0; j < subject.j; ++j) {
    is_in_b = is_in_b || inputs.at(Tensor::b, k, j) != inputs.at(Tensor::b, k + 1, j);
  }
  return is_in_a && is_in_b;
}

TEST(Inputs, NeighboursAlongKDifferInBothOperands) {
  for (const Data::Regime regime :
       {Data::Regime::ints, Data::Regime::rounding, Data::Regime::probe}) {
    for (const DtypeCombination& d : legal_combinations()) {
      // `rounding` draws any integer, so that equal neighbours are a matter of chance; `probe` has
      // no sign to tell them apart by.
      if (regime == Data::Regime::rounding && !info(d.in).is_float) continue;
      if (regime == Data::Regime::probe && !info(d.in).is_signed) continue;
      for (const Shape& s : shapes) {
        const ProductCase subject = case_of(d, regime, s.i, s.j, s.k);
        if (hidden_count(subject) > 0) continue;
        for (std::int64_t k = 0; k + 1 < s.k; ++k) {
          ASSERT_TRUE(shows_mispairing(subject, k)) << print(subject) << " k = " << k;
        }
      }
    }
  }
}

TEST(Inputs, BothSignsAndManyValuesOccur) {
  for (const DtypeInfo& in : dtypes) {
    const Dtype acc = default_acc(in.dtype);
    const DtypeCombination d{in.dtype, acc, acc, acc};
    for (const Data::Regime regime : {Data::Regime::ints, Data::Regime::rounding}) {
      const ProductCase subject = case_of(d, regime, 8, 8, 8);
      const Inputs inputs(subject);
      for (const Tensor tensor : {Tensor::a, Tensor::b}) {
        std::set<Bits> distinct;
        std::int64_t negative = 0;
        for (std::int64_t n = 0; n < 64; ++n) {
          const Bits bits = inputs.at(tensor, n / 8, n % 8);
          distinct.insert(bits);
          negative += static_cast<std::int64_t>(bits >> (8 * in.bytes - 1));
        }
        EXPECT_GE(distinct.size(), 12U) << print(subject);
        if (in.is_signed) {
          EXPECT_GT(negative, 10) << print(subject);
          EXPECT_LT(negative, 54) << print(subject);
        } else if (regime == Data::Regime::ints) {
          EXPECT_EQ(negative, 0) << print(subject);
        }
      }
    }
  }
}

TEST(Inputs, AnotherSeedGivesOtherValues) {
  for (const Data::Regime regime :
       {Data::Regime::ints, Data::Regime::rounding, Data::Regime::probe}) {
    const ProductCase one = case_of({}, regime, 4, 4, 6, 1);
    const ProductCase two = case_of({}, regime, 4, 4, 6, 2);
    std::int64_t equal = 0;
    for (std::int64_t n = 0; n < 24; ++n) {
      equal += Inputs(one).at(Tensor::a, n / 6, n % 6) == Inputs(two).at(Tensor::a, n / 6, n % 6);
    }
    EXPECT_LT(equal, 4);
  }
}

/// 2^emax of the widest exponent, and the largest value, from the standards.
double greatest(Dtype dtype) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return 448;
    case Dtype::f8e5m2: return 57344;
    case Dtype::f16: return 65504;
    default: return 3e38;
  }
}

double real(Dtype dtype, Bits bits) {
  const ExactNumber number = number_of(float_bits(dtype), bits);
  const double magnitude = std::ldexp(static_cast<double>(number.significand), number.exponent);
  return number.is_negative ? -magnitude : magnitude;
}

TEST(Inputs, RoundingHasFullWidthAndNeverOverflows) {
  for (const DtypeCombination& d : legal_combinations()) {
    if (!info(d.in).is_float) continue;
    const double limit = std::min({greatest(d.acc), greatest(d.wire), greatest(d.out)}) / 2;
    for (const Shape& s : shapes) {
      const ProductCase subject = case_of(d, Data::Regime::rounding, s.i, s.j, s.k, 3);
      const Inputs inputs(subject);
      double a_max = 0;
      double b_max = 0;
      for (std::int64_t k = 0; k < s.k; ++k) {
        for (std::int64_t i = 0; i < s.i; ++i) {
          const Bits a = inputs.at(Tensor::a, i, k);
          const ExactNumber number = number_of(float_bits(d.in), a);
          ASSERT_EQ(number.significand >> (precision(d.in) - 1), 1U) << print(subject);
          a_max = std::max(a_max, std::abs(real(d.in, a)));
        }
        for (std::int64_t j = 0; j < s.j; ++j) {
          b_max = std::max(b_max, std::abs(real(d.in, inputs.at(Tensor::b, k, j))));
        }
      }
      ASSERT_LT(a_max * b_max * static_cast<double>(s.k), limit) << print(subject);
    }
  }
}

TEST(Inputs, ProbeDigitsCountTheKThatShareAPlace) {
  // f32 has 24 bits: 12 digits of 2 bits, each with room for 3. Twelve k's get a digit each.
  const ProductCase subject = case_of({}, Data::Regime::probe, 3, 3, 12);
  const Inputs inputs(subject);
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = 0; j < 3; ++j) {
      std::set<std::int64_t> places;
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < 12; ++k) {
        const std::int64_t product = scaled(Dtype::f32, inputs.at(Tensor::a, i, k), 0) *
                                     scaled(Dtype::f32, inputs.at(Tensor::b, k, j), 0);
        places.insert(product);
        sum += product;
      }
      EXPECT_EQ(places.size(), 12U);
      EXPECT_EQ(sum, 0x555555);  // every digit 1
    }
  }
}

TEST(Inputs, ProbeStaysExactAndTellsOneMoreFromOneLess) {
  for (const DtypeCombination& d : legal_combinations()) {
    for (const Shape& s : shapes) {
      const ProductCase subject = case_of(d, Data::Regime::probe, s.i, s.j, s.k);
      const Inputs inputs(subject);
      for (std::int64_t i = 0; i < s.i; ++i) {
        Wide sum = 0;
        Wide least = 0;  // the weight of the lowest digit that is in use
        for (std::int64_t k = 0; k < s.k; ++k) {
          const Wide product = Wide{scaled(d.in, inputs.at(Tensor::a, i, k), 24)} *
                               scaled(d.in, inputs.at(Tensor::b, k, 0), 24);
          ASSERT_GE(product, 0) << print(subject);
          sum += product;
          if (product != 0) least = least == 0 ? product : std::min(least, product);
        }
        ASSERT_LT(sum, least << std::min(narrowest(d), 63)) << print(subject);
      }
    }
  }
}

TEST(Inputs, GivenValuesAreTheCasesOwn) {
  const auto subject =
      parse_product("matmul i=1 j=2 k=2 A[i,k] B[k,j] -> C[i,j] data=given A=1,2 B=3,4,5,6");
  ASSERT_TRUE(subject);
  const Inputs inputs(*subject);
  EXPECT_EQ(print_value(Dtype::f32, inputs.at(Tensor::a, 0, 1)), "2");
  EXPECT_EQ(print_value(Dtype::f32, inputs.at(Tensor::b, 1, 0)), "5");
}

/// A row by row, a bar, B row by row.
std::string values_of(const std::string& rest) {
  const auto subject = parse_product("matmul i=2 j=2 k=3 A[i,k] B[k,j] -> C[i,j] " + rest);
  if (!subject) return print(subject.error());
  const Inputs inputs(*subject);
  std::string text;
  for (std::int64_t n = 0; n < 6; ++n) {
    text += print_value(subject->dtypes.in, inputs.at(Tensor::a, n / 3, n % 3)) + " ";
  }
  text += "|";
  for (std::int64_t n = 0; n < 6; ++n) {
    text += " " + print_value(subject->dtypes.in, inputs.at(Tensor::b, n / 2, n % 2));
  }
  return text;
}

TEST(Inputs, TheFunctionIsPinned) {
  // Stored cases rely on these. To change the function, add a regime with another name.
  EXPECT_EQ(values_of("data=ints"), "-83 18 35 76 19 -90 | 29 90 -6 -93 9 -68");
  EXPECT_EQ(values_of("data=ints:12345678901234567890 in=bf16"),
            "-3 -8 -5 -4 -3 -4 | 3 6 8 -5 7 6");
  EXPECT_EQ(values_of("data=ints:7 in=f8e5m2"), "1 -1 1 1 -1 1 | -1 2 2 1 -1 2");
  EXPECT_EQ(values_of("data=ints:7 in=u8"), "83 54 85 30 57 66 | 29 96 62 53 89 78");
  EXPECT_EQ(
      values_of("data=rounding:1"),
      "-0x1.ac23fap-3 0x1.6cd15ep-2 0x1.4cec06p+1 0x1.558fd2p-2 0x1.b4ae3ap-3 0x1.2b4276p+0 | "
      "-0x1.2ca17ap-1 0x1.c2de2ep+0 -0x1.16202ep-2 0x1.7c945ep+1 -0x1.a4afa6p-3 0x1.017232p+0");
  EXPECT_EQ(values_of("data=rounding:1 in=f8e4m3fn"),
            "-0.8125 1.875 0.6875 1.125 0.8125 1.375 | -0.8125 1.875 -1.875 0.9375 -0.6875 1.125");
  EXPECT_EQ(values_of("data=rounding:1 in=i64"),
            "8168279619751252477 -488659198365243217 4641098222656714243 5350034220132255720 "
            "9053147670903412509 9107270294129975611 | -5190860093006655300 8165920530824785686 "
            "7019813768058834967 8208261771115252270 9072565125387540434 1678638563605920024");
  EXPECT_EQ(values_of("data=probe"), "1 -4 16 4 -16 64 | 1 1 -4096 -1 1 1");
  EXPECT_EQ(values_of("data=probe:1 in=u8"), "4 16 1 16 1 4 | 1 1 1 64 1 1");
}

}  // namespace
}  // namespace shardcheck
