#include "calls_inputs.h"

#include <algorithm>

#include <shardcheck/model/case/calls_rules.h>
#include "values.h"

namespace shardcheck {
namespace {

constexpr std::uint64_t tensor_number = 3;  // A and B of a product are 1 and 2
constexpr std::int64_t ints_magnitude_max = 99;
constexpr std::uint64_t modulus = 251;

int exact_bits_of_sums(const DtypeCombination& d) {
  return std::min(exact_bits(d.in), exact_bits(d.acc));
}

/// [[1 + s·t, s], [t, 1]]: of determinant 1, so that no product of such collapses.
Bits shear_pair(std::uint64_t hash) {
  const std::uint64_t s = 1 + (hash >> 32) % 250;
  const std::uint64_t t = 1 + (hash & 0xffffffffU) % 250;
  return (1 + s * t) % modulus | s << 8 | t << 16 | std::uint64_t{1} << 24;
}

/// The rank of member 0 of the rank's group.
std::int64_t first_of_group(const CallsCase& subject, std::int64_t rank) {
  std::int64_t first = 0;
  std::int64_t stride = 1;
  for (std::size_t axis = subject.mesh.axes.size(); axis-- > 0;) {
    const std::int64_t size = subject.mesh.axes[axis].size;
    const bool is_within = std::find(subject.over.begin(), subject.over.end(),
                                     static_cast<int>(axis)) != subject.over.end();
    if (!is_within) first += rank / stride % size * stride;
    stride *= size;
  }
  return first;
}

}  // namespace

CollectiveInputs::CollectiveInputs(const CallsCase& subject) : case_(subject) {
  const bool is_reducing = std::any_of(subject.calls.begin(), subject.calls.end(),
                                       [](const Call& call) { return reduces(call.collective); });
  if (is_reducing) {
    op_ = subject.op;
    members_ = member_count(subject);
  }
  const auto regime = static_cast<std::uint64_t>(subject.data.regime);
  seed_ = mixed(subject.data.seed + golden * (2 * regime + tensor_number));
  bits_ = exact_bits_of_sums(subject.dtypes);
  const int in_bits = std::min(exact_bits(subject.dtypes.in), 53);
  largest_ = std::min(ints_magnitude_max,
                      (std::int64_t{1} << in_bits) - (info(subject.dtypes.in).is_float ? 0 : 1));
}

Bits CollectiveInputs::at(std::int64_t rank, std::int64_t index, std::int64_t position) const {
  if (case_.data.regime == Data::Regime::given) {
    return case_.data.given[static_cast<std::size_t>(rank)][static_cast<std::size_t>(index)];
  }
  const std::uint64_t hash = hashed(seed_, rank, position);
  if (op_ == Operator::matrix) return shear_pair(hash);
  if (is_bitwise()) return one_bit(rank, position);
  if (case_.data.regime == Data::Regime::rounding) return rounding(rank, position, hash);
  if (case_.data.regime == Data::Regime::wide)
    return wide_value(case_.dtypes, place(rank, position));
  if (case_.data.regime == Data::Regime::cancel) {
    return cancel_value(case_.dtypes, place(rank, position));
  }
  if (case_.data.regime == Data::Regime::special) {
    return special_value(case_.dtypes, place(rank, position));
  }
  const bool is_summing = op_ == Operator::sum || op_ == Operator::average;
  if (case_.data.regime == Data::Regime::probe && is_summing && members_ > 1) {
    return probe(rank, position);
  }
  return ints(rank, position, hash);
}

InputPlace CollectiveInputs::place(std::int64_t rank, std::int64_t position) const {
  // Groups differ in their seeds: within one, what cancels has to know its counterpart.
  const auto group = static_cast<std::uint64_t>(first_of_group(case_, rank));
  return {.seed = case_.data.seed + group,
          .tensor = 0,
          .term = member_of(case_, rank),
          .terms = members_,
          .outer = position};
}

bool CollectiveInputs::is_shown(std::int64_t member, std::int64_t position,
                                std::int64_t at_most) const {
  const std::int64_t classes = ceil_of(members_, at_most);
  return member % classes == position % classes;
}

bool CollectiveInputs::is_extreme(std::int64_t rank, std::int64_t position) const {
  return member_of(case_, rank) % members_ == position % members_;
}

/// Not the position itself: the neighbour's data would be one's own, one place further.
std::int64_t CollectiveInputs::turn(std::int64_t position, std::int64_t places) const {
  const std::uint64_t hash = mixed(seed_ + golden * (static_cast<std::uint64_t>(position) + 1));
  return static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(places));
}

Bits CollectiveInputs::ints(std::int64_t rank, std::int64_t position, std::uint64_t hash) const {
  switch (op_) {
    case Operator::product: return shown_product(rank, position, hash);
    case Operator::min:
    case Operator::max: return extreme(rank, position, hash);
    default: return shown_sum(rank, position, hash);
  }
}

Bits CollectiveInputs::shown_sum(std::int64_t rank, std::int64_t position,
                                 std::uint64_t hash) const {
  const Dtype in = case_.dtypes.in;
  const std::int64_t budget = std::int64_t{1} << std::min(bits_, 40);
  if (!is_shown(member_of(case_, rank), position, budget)) return 0;
  const std::int64_t terms = ceil_of(members_, ceil_of(members_, budget));
  const auto magnitude_max = std::max<std::int64_t>(std::min(largest_, budget / terms), 1);
  const bool is_negative = info(in).is_signed && (hash & 1) != 0;
  if (magnitude_max == 1) return encoded(in, is_negative, 1, 0);
  const auto pairs = static_cast<std::uint64_t>(magnitude_max / 2);
  const auto parity = static_cast<std::uint64_t>(rank + position) % 2;
  return encoded(in, is_negative, 1 + 2 * ((hash >> 32) % pairs) + parity, 0);
}

Bits CollectiveInputs::shown_product(std::int64_t rank, std::int64_t position,
                                     std::uint64_t hash) const {
  const Dtype in = case_.dtypes.in;
  const bool is_factor = is_shown(member_of(case_, rank), position, std::max(1, bits_ / 2));
  const auto parity = static_cast<std::uint64_t>(rank + position) % 2;
  return encoded(in, info(in).is_signed && (hash & 1) != 0, is_factor ? 2 + parity : 1, 0);
}

Bits CollectiveInputs::extreme(std::int64_t rank, std::int64_t position, std::uint64_t hash) const {
  const Dtype in = case_.dtypes.in;
  const std::int64_t half = std::max<std::int64_t>(largest_ / 2, 1);
  const auto step = 1 + static_cast<std::int64_t>((hash >> 32) % static_cast<std::uint64_t>(half));
  const bool is_shown_here = is_extreme(rank, position);
  std::int64_t value = 0;
  if (op_ == Operator::max) {
    value = is_shown_here ? half + step : step;
    if (info(in).is_signed) value -= half;
  } else {
    value =
        is_shown_here ? std::max<std::int64_t>(largest_ + 1 - half - step, 0) : largest_ - step + 1;
    if (info(in).is_signed) value -= largest_ + 1 - half;
  }
  const bool is_negative = value < 0;
  return encoded(in, is_negative, static_cast<std::uint64_t>(is_negative ? -value : value), 0);
}

Bits CollectiveInputs::one_bit(std::int64_t rank, std::int64_t position) const {
  const int width = 8 * info(case_.dtypes.in).bytes;
  const std::int64_t member = member_of(case_, rank);
  Bits bits = 0;
  if (is_shown(member, position, width)) {
    bits = Bits{1} << ((member / ceil_of(members_, width) + turn(position, width)) % width);
  }
  return op_ == Operator::bit_or ? bits : ~bits & (~Bits{0} >> (64 - width));
}

Bits CollectiveInputs::rounding(std::int64_t rank, std::int64_t position,
                                std::uint64_t hash) const {
  const Dtype in = case_.dtypes.in;
  // Even factors soon make nothing but zeros.
  const Bits lowest = op_ == Operator::product ? 1 : 0;
  // What is compared lies on both sides of the middle of the range, the extreme by itself.
  const bool is_above = is_extreme(rank, position) == (op_ == Operator::max);
  if (!info(in).is_float) {
    const int width = 8 * info(in).bytes;
    const Bits bits = hash >> (64 - width) | lowest;
    if (!is_compared()) return bits;
    const Bits top_bit = Bits{1} << (width - 1);
    return is_above == info(in).is_signed ? bits & ~top_bit : bits | top_bit;
  }
  const FloatBits& f = float_bits(in);
  const int spread = exponent_greatest(f) < 16 ? 2 : 3;
  const int low = std::max(-std::min(6, carry_bits(members_)), exponent_least(f) + f.fraction_bits);
  // The last bit is set, so that every significand has the full width.
  const std::uint64_t hidden = std::uint64_t{1} << f.fraction_bits;
  const std::uint64_t significand = hidden | (hash & (hidden - 1)) | 1;
  const std::uint64_t choice = mixed(hash);
  const auto step = static_cast<int>(2 * ((choice >> 32) % static_cast<std::uint64_t>(spread))) +
                    static_cast<int>((rank + position) % 2);
  const bool is_negative = is_compared() ? !is_above : (choice & 1) != 0;
  return encoded(in, is_negative, significand, low + step - f.fraction_bits);
}

Bits CollectiveInputs::probe(std::int64_t rank, std::int64_t position) const {
  const int places = std::max(1, std::min(bits_, 62) / 2);
  const std::int64_t at_most = std::int64_t{2} * places;
  const std::int64_t member = member_of(case_, rank);
  if (!is_shown(member, position, at_most)) return 0;
  const std::int64_t place =
      (member / ceil_of(members_, at_most) + turn(position, places)) % places;
  return encoded(case_.dtypes.in, false, 1, 2 * static_cast<int>(place));
}

}  // namespace shardcheck
