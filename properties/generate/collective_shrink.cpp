#include "collective_shrink.h"

#include <algorithm>
#include <optional>

#include <shardcheck/model/case/collective_rules.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/case/dtype_rules.h>

#include "collective_generate.h"
#include "collective_reductions.h"
#include "plainness.h"

namespace shardcheck {
namespace {

using Number = std::uint64_t;

bool any_call(const CallsCase& subject, bool (*is_such)(Collective)) {
  return std::any_of(subject.calls.begin(), subject.calls.end(),
                     [is_such](const Call& call) { return is_such(call.collective); });
}

bool is_a_sequence(const std::vector<Call>& calls) {
  std::vector<Call> before;
  for (const Call& call : calls) {
    if (cannot_follow(before, call.collective)) return false;
    before.push_back(call);
  }
  return !calls.empty();
}

/// As many values as every input has; a new one is 1.
void fit_values(CallsCase& candidate) {
  if (candidate.data.regime != Data::Regime::given) return;
  const auto one = parse_value(candidate.dtypes.in, "1");
  candidate.data.given.resize(static_cast<std::size_t>(rank_count(candidate.mesh)));
  for (std::size_t rank = 0; rank < candidate.data.given.size(); ++rank) {
    const std::int64_t length = input_elements(candidate, static_cast<std::int64_t>(rank));
    candidate.data.given[rank].resize(static_cast<std::size_t>(length), one.value_or(0));
  }
}

bool names_as_many_parts(const CallsCase& candidate) {
  const auto members = static_cast<std::size_t>(member_count(candidate));
  const Split& split = candidate.split;
  if (split.rule == Split::Rule::sizes) return split.sizes.size() == members;
  return split.rule != Split::Rule::sets || split.sets.size() == members;
}

/// What no call asks for goes; nothing if the rest isn't a valid case.
std::optional<CallsCase> settled(CallsCase candidate) {
  if (!is_a_sequence(candidate.calls)) return std::nullopt;
  const bool is_single = candidate.calls.size() == 1;
  const Collective last = candidate.calls.back().collective;
  if (!any_call(candidate, divides)) candidate.split = Split{};
  if (!any_call(candidate, reduces)) candidate.op = Operator::sum;
  if (!any_call(candidate, has_root)) candidate.root = 0;
  if (last != Collective::permute) candidate.destinations.clear();
  if (!is_single || !may_be_in_place(last)) candidate.in_place = false;
  if (!is_single || !reduces(last)) candidate.order = Order::declared;
  if (!names_as_many_parts(candidate)) return std::nullopt;
  fit_values(candidate);
  const auto again = parse_calls(print(candidate));
  if (!again || *again != candidate) return std::nullopt;
  return candidate;
}

/// What a backend must refuse says nothing else.
bool is_served(const CallsCase& candidate) {
  for (const Call& call : candidate.calls) {
    if (!keeps_order_enough(call, candidate.op, candidate.root)) return false;
    if (call.collective == Collective::all_to_all && call.algorithm == Algorithm::bruck) {
      return has_equal_blocks(candidate);
    }
  }
  return true;
}

std::vector<CallsCase> candidates_of(const CallsCase& subject) {
  std::vector<CallsCase> rough;
  reduce_collective_mesh(subject, rough);
  reduce_collective_sizes(subject, rough);
  reduce_collective_choices(subject, rough);
  reduce_collective_data(subject, rough);
  const Measure own = measure(subject);
  std::vector<CallsCase> candidates;
  for (CallsCase& one : rough) {
    auto candidate = settled(std::move(one));
    if (candidate && is_smaller(measure(*candidate), own) && is_served(*candidate)) {
      candidates.push_back(*std::move(candidate));
    }
  }
  return candidates;
}

Number elements_of(const CallsCase& subject) {
  std::int64_t total = subject.n;
  for (const auto& row : subject.counts) {
    for (const std::int64_t count : row) total += count;
  }
  return static_cast<Number>(total);
}

Number algorithm_steps(const CallsCase& subject) {
  Number total = 0;
  for (const Call& call : subject.calls) {
    const auto offered = algorithms_of(call.collective);
    total += static_cast<Number>(std::find(offered.begin(), offered.end(), call.algorithm) -
                                 offered.begin());
  }
  return total;
}

Number unusual_destinations(const std::vector<std::int64_t>& to) {
  Number total = 0;
  const auto members = static_cast<std::int64_t>(to.size());
  for (std::int64_t m = 0; m < members; ++m) {
    const std::int64_t destination = to[static_cast<std::size_t>(m)];
    if (destination < 0) total += 1;
    if (destination >= 0 && destination != (m + 1) % members) total += 2;
  }
  return total;
}

}  // namespace

Measure measure(const CallsCase& subject) {
  Measure result;
  std::vector<Number>& parts = result.parts;
  parts = {static_cast<Number>(rank_count(subject.mesh)),
           subject.mesh.axes.size(),
           subject.calls.size(),
           elements_of(subject),
           subject.data.regime == Data::Regime::given ? Number{0} : Number{1},
           weight(subject.split),
           subject.counts.size(),
           unusual_destinations(subject.destinations),
           static_cast<Number>(subject.root),
           unusual_names(subject.mesh),
           static_cast<Number>(subject.op),
           plainness(subject.dtypes.in) + plainness(subject.dtypes.acc),
           algorithm_steps(subject),
           subject.in_place ? Number{1} : Number{0},
           subject.order == Order::declared ? Number{0} : Number{1},
           static_cast<Number>(subject.run.kind),
           static_cast<Number>(subject.run.depth),
           subject.run.trace.size(),
           subject.run.seed,
           static_cast<Number>(subject.data.regime),
           subject.data.seed};
  for (const auto& values : subject.data.given) {
    for (const Bits bits : values) result.values.push_back(print_value(subject.dtypes.in, bits));
  }
  return result;
}

std::vector<CallsCase> smaller(const CallsCase& subject) {
  return candidates_of(subject);
}

MinimisedCollective minimise(const CallsCase& subject,
                             const std::function<bool(const CallsCase&)>& still_fails,
                             std::int64_t candidates_max,
                             const std::function<void(const CallsCase&)>& progress) {
  const auto every = [](const CallsCase&) { return true; };
  return descend<CallsCase>(subject, candidates_of, every, still_fails, candidates_max,
                                 progress);
}

}  // namespace shardcheck
