#include <algorithm>

#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/kinds/calls/draw/calls.h>

#include "reductions.h"

namespace shardcheck {
namespace {

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

}  // namespace

bool settle(CallsCase& candidate) {
  if (!is_a_sequence(candidate.calls)) return false;
  const bool is_single = candidate.calls.size() == 1;
  const Collective last = candidate.calls.back().collective;
  if (!any_call(candidate, divides)) candidate.split = Split{};
  if (!any_call(candidate, reduces)) candidate.op = Operator::sum;
  if (!any_call(candidate, has_root)) candidate.root = 0;
  if (last != Collective::permute) candidate.destinations.clear();
  if (!is_single || !may_be_in_place(last)) candidate.in_place = false;
  if (!is_single || !reduces(last)) candidate.order = Order::declared;
  if (!names_as_many_parts(candidate)) return false;
  fit_values(candidate);
  const auto again = parse_calls(print(candidate));
  return again && *again == candidate;
}

bool is_served(const CallsCase& candidate) {
  for (const Call& call : candidate.calls) {
    if (!keeps_order_enough(call, candidate.op, candidate.root)) return false;
    if (call.collective == Collective::all_to_all && call.algorithm == Algorithm::bruck) {
      return has_equal_blocks(candidate);
    }
  }
  return true;
}

}  // namespace shardcheck
