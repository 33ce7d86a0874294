#include "regimes.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/number_bits.h>
#include <shardcheck/model/case/text.h>
#include "inputs.h"

namespace shardcheck {
namespace {

__extension__ typedef unsigned __int128 Wide;

using ValueFunction = Bits (*)(const DtypeCombination&, const InputPlace&);

DtypeCombination with_defaults(Dtype in) {
  const Dtype acc = default_acc(in);
  return {in, acc, acc, info(in).is_float ? in : acc};
}

bool is_finite_value(Dtype dtype, Bits bits) {
  const FloatBits& f = float_bits(dtype);
  return is_finite(f, bits & ~sign_bit(f));
}

/// The power of two of the leading bit. Requires: finite and not 0.
int leading_exponent(Dtype dtype, Bits bits) {
  const ExactNumber number = number_of(float_bits(dtype), bits);
  return number.exponent + 63 - __builtin_clzll(number.significand);
}

/// Calls with the values of `outers` × `terms` places of A and of B.
void for_each_value(ValueFunction value, const DtypeCombination& dtypes, std::int64_t outers,
                    std::int64_t terms, const std::function<void(Bits)>& see) {
  for (const std::uint64_t tensor : {1U, 2U}) {
    for (std::int64_t outer = 0; outer < outers; ++outer) {
      for (std::int64_t term = 0; term < terms; ++term) {
        see(value(dtypes,
                  {.seed = 5, .tensor = tensor, .term = term, .terms = terms, .outer = outer}));
      }
    }
  }
}

TEST(Wide, ReachesEveryExponentOfItsDtypeAndNoInfinity) {
  for (const DtypeInfo& entry : dtypes) {
    if (!entry.is_float) continue;
    std::set<int> seen;
    std::int64_t negative = 0;
    for_each_value(wide_value, with_defaults(entry.dtype), 200, 200, [&](Bits bits) {
      ASSERT_TRUE(is_finite_value(entry.dtype, bits)) << entry.name;
      seen.insert(leading_exponent(entry.dtype, bits));
      negative += (bits & sign_bit(float_bits(entry.dtype))) != 0 ? 1 : 0;
    });
    const FloatBits& f = float_bits(entry.dtype);
    EXPECT_EQ(*seen.begin(), exponent_least(f)) << entry.name;
    EXPECT_EQ(*seen.rbegin(), exponent_greatest(f)) << entry.name;
    const auto all = static_cast<std::size_t>(exponent_greatest(f) - exponent_least(f) + 1);
    EXPECT_GE(seen.size(), all * 9 / 10) << entry.name;
    EXPECT_GT(negative, 36000) << entry.name;
    EXPECT_LT(negative, 44000) << entry.name;
  }
}

TEST(Wide, GivesResultsFromUnderflowToOverflowWithTermsOfASize) {
  const DtypeCombination d = with_defaults(Dtype::f32);
  int lowest = 0;
  int highest = 0;
  std::int64_t alike = 0;
  std::int64_t pairs = 0;
  for (std::int64_t i = 0; i < 60; ++i) {
    for (std::int64_t j = 0; j < 60; ++j) {
      std::vector<int> exponents;
      for (std::int64_t k = 0; k < 8; ++k) {
        const Bits a = wide_value(d, {.seed = 1, .tensor = 1, .term = k, .terms = 8, .outer = i});
        const Bits b = wide_value(d, {.seed = 1, .tensor = 2, .term = k, .terms = 8, .outer = j});
        exponents.push_back(leading_exponent(d.in, a) + leading_exponent(d.in, b));
      }
      const auto [least, most] = std::ranges::minmax(exponents);
      lowest = std::min(lowest, least);
      highest = std::max(highest, most);
      for (std::size_t k = 1; k < exponents.size(); ++k) {
        ++pairs;
        alike += std::abs(exponents[k] - exponents[k - 1]) <= 6 ? 1 : 0;
      }
    }
  }
  EXPECT_LT(lowest, -149);  // not even half of the least subnormal
  EXPECT_GE(highest, 128);  // overflows
  EXPECT_GT(alike, pairs * 3 / 4);
}

TEST(Wide, IntegersHaveEveryLength) {
  for (const DtypeInfo& entry : dtypes) {
    if (entry.is_float) continue;
    std::set<int> lengths;
    std::int64_t negative = 0;
    for_each_value(wide_value, with_defaults(entry.dtype), 60, 60, [&](Bits bits) {
      const int unused = 64 - 8 * entry.bytes;
      ASSERT_EQ(bits << unused >> unused, bits) << entry.name;
      const bool is_negative = entry.is_signed && (bits >> (8 * entry.bytes - 1)) != 0;
      const Bits magnitude = is_negative ? ~bits << unused >> unused : bits;
      lengths.insert(magnitude == 0 ? 0 : 64 - __builtin_clzll(magnitude));
      negative += is_negative ? 1 : 0;
    });
    const int longest = 8 * entry.bytes - (entry.is_signed ? 1 : 0);
    EXPECT_EQ(lengths.size(), static_cast<std::size_t>(longest) + 1) << entry.name;
    if (entry.is_signed) {
      EXPECT_GT(negative, 3000) << entry.name;
      EXPECT_LT(negative, 4200) << entry.name;
    }
  }
}

/// A finite product, exactly.
struct Product {
  bool is_negative = false;
  Wide significand = 0;  ///< odd
  int exponent = 0;

  bool operator==(const Product&) const = default;
};

Product product_of(Dtype dtype, Bits a, Bits b) {
  const ExactNumber x = number_of(float_bits(dtype), a);
  const ExactNumber y = number_of(float_bits(dtype), b);
  return {x.is_negative != y.is_negative, Wide{x.significand} * y.significand,
          x.exponent + y.exponent};
}

Product negated(Product product) {
  product.is_negative = !product.is_negative;
  return product;
}

TEST(Cancel, LargeTermsCancelExactlyInPairsAndTheRestIsTiny) {
  for (const DtypeCombination& d : legal_combinations()) {
    if (!info(d.in).is_float) continue;
    for (const std::int64_t terms : {1, 2, 3, 5, 8, 40}) {
      const std::int64_t large = (terms + 1) / 3;
      for (std::int64_t outer = 0; outer < 3; ++outer) {
        std::vector<Product> cancelling;
        std::vector<Product> wanted;
        for (std::int64_t k = 0; k < terms; ++k) {
          const InputPlace place{.seed = 3, .tensor = 1, .term = k, .terms = terms, .outer = outer};
          InputPlace other = place;
          other.tensor = 2;
          const Product term = product_of(d.in, cancel_value(d, place), cancel_value(d, other));
          ASSERT_NE(term.significand, 0U);
          if (k < large) wanted.push_back(negated(term));
          if (k >= large && k < 2 * large) cancelling.push_back(term);
        }
        ASSERT_EQ(cancelling.size(), wanted.size());
        EXPECT_TRUE(std::is_permutation(cancelling.begin(), cancelling.end(), wanted.begin()))
            << info(d.in).name << " " << terms;
      }
    }
  }
}

/// Where a tiny term lies below a large one, in powers of two.
TEST(Cancel, TinyTermsAreOfTheSizeOfWhatIsRoundedOff) {
  for (const Dtype in : {Dtype::f8e5m2, Dtype::f16, Dtype::bf16, Dtype::f32, Dtype::f64}) {
    const DtypeCombination d = with_defaults(in);
    const int precision = float_bits(d.acc).fraction_bits + 1;
    for (std::int64_t outer = 0; outer < 20; ++outer) {
      std::vector<int> exponents;
      for (std::int64_t k = 0; k < 9; ++k) {
        const Bits a = cancel_value(d, {.tensor = 1, .term = k, .terms = 9, .outer = outer});
        const Bits b = cancel_value(d, {.tensor = 2, .term = k, .terms = 9, .outer = outer});
        exponents.push_back(leading_exponent(in, a) + leading_exponent(in, b));
      }
      for (std::size_t k = 6; k < 9; ++k) {
        EXPECT_LE(std::abs(exponents[0] - exponents[k] - precision), 2) << info(in).name;
      }
    }
  }
}

TEST(Cancel, ATermByItselfHasItsCounterpart) {
  const DtypeCombination d = with_defaults(Dtype::f32);
  for (std::int64_t position = 0; position < 20; ++position) {
    std::multiset<Bits> large;
    for (std::int64_t rank = 0; rank < 7; ++rank) {
      const Bits bits =
          cancel_value(d, {.seed = 9, .tensor = 0, .term = rank, .terms = 7, .outer = position});
      // Of 7 terms 2 are large, 2 cancel them.
      if (rank < 2) large.insert(bits ^ sign_bit(float_bits(Dtype::f32)));
      if (rank == 2 || rank == 3) {
        const auto found = large.find(bits);
        ASSERT_NE(found, large.end());
        large.erase(found);
      }
      if (rank > 3) {
        EXPECT_LE(leading_exponent(Dtype::f32, bits), 1);
      }
    }
    EXPECT_TRUE(large.empty());
  }
}

std::int64_t integer(Dtype dtype, Bits bits) {
  const int unused = 64 - 8 * info(dtype).bytes;
  return static_cast<std::int64_t>(bits << unused) >> unused;
}

TEST(Cancel, IntegersCancelTooModuloTheirWidth) {
  for (const Dtype in : {Dtype::i8, Dtype::u8, Dtype::i16, Dtype::i32, Dtype::u32}) {
    const DtypeCombination d = with_defaults(in);
    for (std::int64_t outer = 0; outer < 5; ++outer) {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < 6; ++k) {
        const Bits a = cancel_value(d, {.tensor = 1, .term = k, .terms = 9, .outer = outer});
        const Bits b = cancel_value(d, {.tensor = 2, .term = k, .terms = 9, .outer = outer});
        EXPECT_GE(std::abs(integer(in, a)), std::int64_t{1} << (8 * info(in).bytes - 3));
        sum += integer(in, a) * integer(in, b);
      }
      EXPECT_EQ(sum, 0) << info(in).name;
    }
  }
}

/// How often each special value came, by its text; all that is plain under "".
std::map<std::string, int> specials_of(Dtype dtype, std::int64_t terms) {
  std::map<std::string, int> counts;
  const std::set<std::string> plain{"1", "2", "3", "-1", "-2", "-3"};
  for_each_value(special_value, with_defaults(dtype), 4096 / terms, terms, [&](Bits bits) {
    const std::string text = print_value(dtype, bits);
    ++counts[plain.contains(text) ? "" : text];
  });
  return counts;
}

TEST(Special, HoldsEverySpecialValueOfItsDtype) {
  for (const DtypeInfo& entry : dtypes) {
    const std::map<std::string, int> counts = specials_of(entry.dtype, 4);
    EXPECT_GT(counts.at(""), 4000) << entry.name;
    EXPECT_GT(counts.at("0"), 100) << entry.name;
    if (!entry.is_float) {
      const Bits top = Bits{1} << (8 * entry.bytes - 1);
      EXPECT_TRUE(counts.contains(print_value(entry.dtype, top))) << entry.name;
      EXPECT_TRUE(counts.contains(print_value(entry.dtype, top - 1))) << entry.name;
      if (!entry.is_signed) {
        EXPECT_TRUE(counts.contains(print_value(entry.dtype, top + (top - 1)))) << entry.name;
      }
      continue;
    }
    const FloatBits& f = float_bits(entry.dtype);
    EXPECT_GT(counts.at("nan"), 50) << entry.name;
    EXPECT_GT(counts.at("-0"), 500) << entry.name;
    EXPECT_EQ(counts.contains("inf") && counts.contains("-inf"), has_infinity(f)) << entry.name;
    const Bits largest = largest_bits(f);
    for (const Bits sign : {Bits{0}, sign_bit(f)}) {
      for (const Bits bits : {largest, Bits{1}, Bits{1} << f.fraction_bits}) {
        EXPECT_TRUE(counts.contains(print_value(entry.dtype, bits | sign)))
            << entry.name << " " << print_value(entry.dtype, bits | sign);
      }
    }
  }
}

TEST(Special, LeavesMostRowsFiniteHoweverLongTheyAre) {
  const DtypeCombination d = with_defaults(Dtype::f32);
  for (const std::int64_t terms : {1, 2, 8, 40, 300}) {
    int finite = 0;
    for (std::int64_t row = 0; row < 400; ++row) {
      bool is_row_finite = true;
      for (std::int64_t k = 0; k < terms; ++k) {
        const Bits bits = special_value(d, {.tensor = 1, .term = k, .terms = terms, .outer = row});
        is_row_finite = is_row_finite && is_finite_value(Dtype::f32, bits & 0x7fffffff);
      }
      finite += is_row_finite ? 1 : 0;
    }
    // 1 − 3/16, to e^(−3/16) for many terms.
    EXPECT_GT(finite, 300) << terms;
    EXPECT_LT(finite, 360) << terms;
  }
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

TEST(Regimes, ArePinned) {
  // Stored cases rely on these. To change a function, add a regime with another name.
  EXPECT_EQ(
      values_of("data=wide:1"),
      "-0x1.d1f7b2p+94 0x1.664f28p+86 10777530368 -0x1.6a883ap-37 -0x1.e65a0ep-40 0x1.3b2168p-95 | "
      "0x1.df0854p-63 -1481879936 -0x1.69596cp-57 -89259679744 -0x1.088eeap-4 -0x1.0c9c4cp+90");
  EXPECT_EQ(values_of("data=wide:1 in=f8e4m3fn"),
            "-0.5625 24 0.75 -0.203125 -240 1.5 | 160 -176 -1.75 -1.625 -52 -112");
  EXPECT_EQ(values_of("data=wide:1 in=i16"), "27 -806 15 -3 1180 -16 | -9 -6967 1 20 435 2");
  EXPECT_EQ(
      values_of("data=cancel:1"),
      "-0x1.9bdfacp+12 0x1.9bdfacp+11 -0x1.bb49b6p-1 0x1.f2b4acp+11 -0x1.f2b4acp+10 0x1.d73c5ap-1 "
      "| 0x1.9919a2p+11 0x1.935adap+12 0x1.9919a2p+12 0x1.935adap+13 0x1.11c568p-1 0x1.4c531ap+0");
  EXPECT_EQ(
      values_of("data=cancel:1 in=bf16"),
      "-6848 3424 -0.85546875 3424 -1712 0.67578125 | 3344 7584 6688 15168 0.703125 1.1015625");
  EXPECT_EQ(values_of("data=cancel:1 in=u8"), "108 202 2 108 202 1 | 49 45 98 90 1 3");
  EXPECT_EQ(values_of("data=special:2852"),
            "1 0x1p-149 -0x1.fffffep+127 -1 -inf nan | inf 0 -3 -2 0 -0");
  EXPECT_EQ(values_of("data=special:2852 in=f8e4m3fn"),
            "1 0.001953125 -448 -1 -448 nan | 448 0 -3 -2 0 -0");
  EXPECT_EQ(values_of("data=special:2852 in=i8"), "1 -2 -2 -1 127 -2 | -1 127 -3 -2 127 -1");
}

}  // namespace
}  // namespace shardcheck
