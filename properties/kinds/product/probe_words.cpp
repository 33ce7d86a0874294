#include "probe_words.h"

#include <iterator>
#include <map>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/inputs/inputs.h>
#include <shardcheck/model/case/number_bits.h>

#include <shardcheck/properties/judge/judgement.h>

namespace shardcheck {

namespace {

constexpr std::size_t digits_named = 4;

/// Of a power of two, either sign; nothing for 0.
std::optional<int> exponent_of(Dtype dtype, Bits bits) {
  if (info(dtype).is_float) {
    const ExactNumber number = number_of(float_bits(dtype), bits);
    if (number.significand == 0) return std::nullopt;
    return number.exponent;
  }
  const int unused = 64 - 8 * info(dtype).bytes;
  const bool is_negative = info(dtype).is_signed && (bits >> (63 - unused)) != 0;
  const Bits magnitude = is_negative ? (Bits{0} - bits) << unused >> unused : bits;
  if (magnitude == 0) return std::nullopt;
  return normalised(false, magnitude, 0).exponent;
}

/// The k's whose products are 2^exponent, by exponent.
using Digits = std::map<int, std::vector<std::int64_t>>;

Digits digits_of(const ProductCase& subject, std::int64_t coordinate) {
  const Inputs inputs(subject);
  Digits digits;
  for (std::int64_t k = 0; k < subject.k; ++k) {
    const auto a = exponent_of(subject.dtypes.in, inputs.at(Tensor::a, coordinate / subject.j, k));
    const auto b = exponent_of(subject.dtypes.in, inputs.at(Tensor::b, k, coordinate % subject.j));
    if (a && b) digits[*a + *b].push_back(k);
  }
  return digits;
}

/// The result as significand · 2^exponent; nothing if it is negative, NaN or infinite.
std::optional<ExactNumber> whole(Dtype out, Bits got) {
  if (info(out).is_float) {
    const FloatBits& f = float_bits(out);
    if (!is_finite(f, got & ~sign_bit(f))) return std::nullopt;
    const ExactNumber number = number_of(f, got);
    return number.is_negative && number.significand != 0 ? std::nullopt : std::optional(number);
  }
  const bool is_negative = info(out).is_signed && (got >> (8 * info(out).bytes - 1)) != 0;
  return is_negative ? std::nullopt : std::optional(normalised(false, got, 0));
}

std::string digit_words(const std::vector<std::int64_t>& ks, std::uint64_t count) {
  if (ks.size() > 1) return fmt::format("k = {} counted {} times in all", listed(ks), count);
  if (count == 0) return fmt::format("k = {} missing", ks.front());
  return fmt::format("k = {} counted {} times", ks.front(), count);
}

}  // namespace

std::string probe_words(const ProductCase& subject, std::int64_t coordinate, Bits got) {
  if (subject.data.regime != Data::Regime::probe) return "";
  const Digits digits = digits_of(subject, coordinate);
  const auto number = whole(subject.dtypes.out, got);
  if (!number || digits.empty()) return "";
  const int lowest = digits.begin()->first;
  const int shift = number->significand == 0 ? 0 : number->exponent - lowest;
  if (shift < 0 || shift > 63 || number->significand << shift >> shift != number->significand) {
    return "";
  }
  const std::uint64_t units = number->significand << shift;
  std::map<std::int64_t, std::string> wrong;  // by the first k that a digit counts
  for (auto digit = digits.begin(); digit != digits.end(); ++digit) {
    const auto next = std::next(digit);
    const int from = digit->first - lowest;
    const int width = next == digits.end() ? 64 - from : next->first - digit->first;
    if (from > 63 || width < 1) return "";
    const std::uint64_t above = units >> from;
    const std::uint64_t count = width >= 64 ? above : above & ((std::uint64_t{1} << width) - 1);
    if (count != digit->second.size()) {
      wrong.emplace(digit->second.front(), digit_words(digit->second, count));
    }
  }
  std::string text;
  std::size_t named = 0;
  for (const auto& [k, what] : wrong) {
    if (named == digits_named) break;
    text += (named++ == 0 ? "" : ", ") + what;
  }
  if (named < wrong.size()) text += fmt::format(" and {} more", wrong.size() - named);
  return text;
}

}  // namespace shardcheck
