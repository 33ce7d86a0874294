#include "mutate_collective.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <shardcheck/model/case/collective_rules.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/collective_generate.h>
#include <shardcheck/properties/generate/draw.h>
#include <shardcheck/properties/generate/generate_parts.h>

#include "case_input.h"

namespace shardcheck::fuzz {
namespace {

/// Attempts at a valid case before a fresh one is drawn.
constexpr int attempts_max = 8;

bool any_call(const CallsCase& subject, bool (*is_such)(Collective)) {
  return std::any_of(subject.calls.begin(), subject.calls.end(),
                     [is_such](const Call& call) { return is_such(call.collective); });
}

bool fits(const Split& split, std::int64_t n, std::int64_t members) {
  const auto parts = static_cast<std::size_t>(members);
  std::size_t held = 0;
  for (const auto& set : split.sets) held += set.size();
  switch (split.rule) {
    case Split::Rule::balanced:
    case Split::Rule::ceil:
    case Split::Rule::cyclic: return true;
    case Split::Rule::sizes:
      return split.sizes.size() == parts &&
             std::accumulate(split.sizes.begin(), split.sizes.end(), std::int64_t{0}) == n;
    case Split::Rule::sets: return split.sets.size() == parts && std::cmp_equal(held, n);
  }
  return true;
}

/// Counts and destinations of as many members; a member that is new has nothing to say.
void fit_members(CallsCase& subject, std::int64_t members) {
  const auto size = static_cast<std::size_t>(members);
  const bool is_all_to_all =
      subject.calls.size() == 1 && subject.calls.front().collective == Collective::all_to_all;
  if (!is_all_to_all && !subject.counts.empty()) {
    subject.counts.clear();
    subject.n = members;
  }
  if (!subject.counts.empty()) {
    subject.counts.resize(size);
    for (auto& row : subject.counts) row.resize(size);
  }
  if (subject.calls.back().collective != Collective::permute) {
    subject.destinations.clear();
    return;
  }
  const std::size_t known = subject.destinations.size();
  subject.destinations.resize(size, -1);
  for (std::size_t member = 0; member < size; ++member) {
    std::int64_t& to = subject.destinations[member];
    if (to >= members) to = -1;
    if (known == 0) to = static_cast<std::int64_t>((member + 1) % size);
  }
}

/// What one part's change makes meaningless elsewhere becomes its default.
void fit(CallsCase& subject, Entropy& entropy) {
  std::erase_if(subject.over,
                [&](int axis) { return std::cmp_greater_equal(axis, subject.mesh.axes.size()); });
  const std::int64_t members = member_count(subject);
  fit_members(subject, members);
  if (!subject.counts.empty()) subject.n = 0;
  if (!any_call(subject, divides) || !subject.counts.empty()) {
    subject.split = Split{};
  } else if (!fits(subject.split, subject.n, members)) {
    subject.split = draw_split(entropy, subject.split.rule, subject.n, members);
  }
  if (!any_call(subject, reduces)) subject.op = Operator::sum;
  if (!any_call(subject, has_root)) subject.root = 0;
  subject.root = std::min(subject.root, members - 1);
  const bool is_alone = subject.calls.size() == 1;
  subject.in_place =
      subject.in_place && is_alone && may_be_in_place(subject.calls.front().collective);
  if (!is_alone || !reduces(subject.calls.front().collective)) subject.order = Order::declared;
  if (subject.data.regime != Data::Regime::given) subject.data.given.clear();
}

std::optional<CallsCase> fitted(CallsCase subject, Entropy& entropy) {
  if (rank_count(subject.mesh) > work::ranks || subject.n > work::length) return std::nullopt;
  fit(subject, entropy);
  if (why_not_run(subject)) return std::nullopt;
  auto read = parse_calls(print(subject));
  // Given values are of one shape alone: another one has those of a regime.
  if (!read && subject.data.regime == Data::Regime::given) {
    subject.data.regime = Data::Regime::rounding;
    subject.data.given.clear();
    read = parse_calls(print(subject));
  }
  if (!read) return std::nullopt;
  return *std::move(read);
}

void take_shape(CallsCase& subject, const CallsCase& donor) {
  subject.mesh = donor.mesh;
  subject.over = donor.over;
}

void take_sizes(CallsCase& subject, const CallsCase& donor) {
  subject.n = donor.n;
  subject.split = donor.split;
  subject.counts = donor.counts;
}

/// An operator has the dtypes that it is for.
void take_arithmetic(CallsCase& subject, const CallsCase& donor) {
  subject.dtypes = donor.dtypes;
  if (any_call(donor, reduces)) subject.op = donor.op;
}

void take_data(CallsCase& subject, const CallsCase& donor) {
  subject.data.regime = donor.data.regime;
  subject.data.seed = donor.data.seed;
  subject.data.given = donor.data.given;
}

void take_part(CallsCase& subject, const CallsCase& donor, Entropy& entropy) {
  switch (weighted(entropy, {10, 12, 10, 12, 4, 4, 8, 6, 6})) {
    case 0: take_shape(subject, donor); break;
    case 1: take_sizes(subject, donor); break;
    case 2: subject.calls = donor.calls; break;
    case 3: take_arithmetic(subject, donor); break;
    case 4: subject.in_place = donor.in_place; break;
    case 5: subject.order = donor.order; break;
    case 6: take_data(subject, donor); break;
    case 7: subject.run = donor.run; break;
    default: subject.destinations = donor.destinations; break;
  }
}

void change_call(CallsCase& subject, Entropy& entropy) {
  Call& call = subject.calls[entropy.below(subject.calls.size())];
  if (chance(entropy, 60)) {
    call.algorithm = pick(entropy, algorithms_of(call.collective));
    return;
  }
  if (chance(entropy, 40) && subject.calls.size() > 1) {
    subject.calls.pop_back();
    return;
  }
  const auto next = static_cast<Collective>(entropy.below(collective_names.size()));
  if (!cannot_follow(subject.calls, next)) {
    subject.calls.push_back({next, pick(entropy, algorithms_of(next))});
  }
}

void change_value(CallsCase& subject, Entropy& entropy) {
  constexpr std::array<std::string_view, 8> specials{"0",    "-0",  "1",  "inf",
                                                     "-inf", "nan", "-1", "2"};
  if (subject.data.regime != Data::Regime::given) {
    const std::int64_t ranks = rank_count(subject.mesh);
    subject.data.regime = Data::Regime::given;
    subject.data.given.assign(static_cast<std::size_t>(ranks), {});
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      auto& values = subject.data.given[static_cast<std::size_t>(rank)];
      values.resize(static_cast<std::size_t>(input_elements(subject, rank)));
      for (Bits& value : values) {
        value = parse_value(subject.dtypes.in, pick(entropy, specials)).value_or(1);
      }
    }
    return;
  }
  std::vector<Bits>& values = subject.data.given[entropy.below(subject.data.given.size())];
  if (values.empty()) return;
  const auto width = static_cast<std::uint64_t>(8 * info(subject.dtypes.in).bytes);
  Bits& value = values[entropy.below(values.size())];
  value ^= Bits{1} << entropy.below(width);
}

/// By itself, without a donor.
void change_by_a_step(CallsCase& subject, Entropy& entropy) {
  switch (weighted(entropy, {10, 8, 14, 6, 6, 4, 8})) {
    case 0: subject.n = std::max<std::int64_t>(subject.n + between(entropy, -3, 3), 0); break;
    case 1: {
      if (subject.mesh.axes.empty()) break;
      auto& axis = subject.mesh.axes[entropy.below(subject.mesh.axes.size())];
      axis.size = between(entropy, 1, chance(entropy, 15) ? 33 : 9);
      break;
    }
    case 2: change_call(subject, entropy); break;
    case 3: subject.root = between(entropy, 0, member_count(subject) - 1); break;
    case 4: subject.op = pick(entropy, operators).op; break;
    case 5: subject.order = subject.order == Order::any ? Order::declared : Order::any; break;
    default: change_value(subject, entropy); break;
  }
}

CallsCase fresh(Entropy& entropy) {
  while (true) {
    CallsCase subject = generate_collective(entropy);
    if (subject.run.kind == Run::Kind::threads) subject.run = Run{};
    if (auto valid = fitted(std::move(subject), entropy)) return *std::move(valid);
  }
}

}  // namespace

CallsCase mutate(const CallsCase& subject, Entropy& entropy) {
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    CallsCase changed = subject;
    if (changed.run.kind == Run::Kind::trace) changed.run = Run{};
    const std::size_t count = 1 + weighted(entropy, {60, 25, 15});
    for (std::size_t change = 0; change < count; ++change) {
      if (chance(entropy, 50)) {
        change_by_a_step(changed, entropy);
      } else {
        take_part(changed, fresh(entropy), entropy);
      }
      // Counts grow with the square of the members.
      if (rank_count(changed.mesh) > work::ranks) break;
      fit(changed, entropy);
    }
    auto valid = fitted(std::move(changed), entropy);
    if (valid && *valid != subject) return *std::move(valid);
  }
  return fresh(entropy);
}

CallsCase cross(const CallsCase& first, const CallsCase& second, Entropy& entropy) {
  const bool is_swapped = chance(entropy, 50);
  CallsCase child = is_swapped ? second : first;
  const CallsCase& other = is_swapped ? first : second;
  take_arithmetic(child, other);
  take_data(child, other);
  if (chance(entropy, 50)) child.run = other.run;
  if (chance(entropy, 50)) child.order = other.order;
  if (child.run.kind == Run::Kind::trace) child.run = Run{};
  auto valid = fitted(std::move(child), entropy);
  return valid ? *std::move(valid) : mutate(first, entropy);
}

}  // namespace shardcheck::fuzz
