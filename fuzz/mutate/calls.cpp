#include <algorithm>
#include <array>
#include <vector>

#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/properties/generate/draw.h>
#include <shardcheck/properties/kinds/calls/draw/calls.h>

#include "calls_fit.h"
#include "mutator.h"
#include "values.h"

namespace shardcheck::fuzz {
namespace {

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

void take_data(CallsCase& subject, const CallsCase& donor) { subject.data = donor.data; }

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

/// Of one rank. Drawn ones give way to special ones first.
void change_value(CallsCase& subject, Entropy& entropy) {
  std::vector<std::vector<Bits>>& given = subject.data.given;
  const Dtype in = subject.dtypes.in;
  if (subject.data.regime == Data::Regime::given) {
    change_one_of(given[entropy.below(given.size())], in, entropy);
    return;
  }
  const std::int64_t ranks = rank_count(subject.mesh);
  subject.data.regime = Data::Regime::given;
  given.assign(static_cast<std::size_t>(ranks), {});
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    auto& values = given[static_cast<std::size_t>(rank)];
    values.resize(static_cast<std::size_t>(input_elements(subject, rank)));
    for (Bits& value : values) value = special_value(in, entropy);
  }
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

CallsCase drawn(Entropy& entropy) {
  CallsCase subject = generate_calls(entropy);
  if (subject.run.kind == Run::Kind::threads) subject.run = Run{};
  return subject;
}

Case drawn_calls(Entropy& entropy) { return drawn(entropy); }

void change_calls(Case& changed, Entropy& entropy) {
  auto& subject = std::get<CallsCase>(changed);
  if (chance(entropy, 50)) {
    change_by_a_step(subject, entropy);
  } else {
    take_part(subject, drawn(entropy), entropy);
  }
}

void fit_calls(Case& subject, Entropy& entropy) { fit(std::get<CallsCase>(subject), entropy); }

Case mixed_calls(const Case& first, const Case& second, Entropy& entropy) {
  auto child = std::get<CallsCase>(first);
  const auto& other = std::get<CallsCase>(second);
  take_arithmetic(child, other);
  take_data(child, other);
  if (chance(entropy, 50)) child.run = other.run;
  if (chance(entropy, 50)) child.order = other.order;
  return child;
}

}  // namespace

const Mutator calls_mutator{.kind = Kind::calls,
                            .drawn = drawn_calls,
                            .change = change_calls,
                            .fit = fit_calls,
                            .mixed = mixed_calls};

}  // namespace shardcheck::fuzz
