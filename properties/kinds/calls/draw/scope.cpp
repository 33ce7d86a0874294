#include "scope.h"

#include <algorithm>
#include <array>

namespace shardcheck {
namespace {

/// By in_place.
constexpr std::array<std::string_view, 2> placements{"no", "yes"};

bool has_wanted_call(const CallsScope& scope, const CallsCase& subject) {
  return std::any_of(subject.calls.begin(), subject.calls.end(), [&](const Call& call) {
    return agrees(scope.collective, call.collective) && agrees(scope.algorithm, call.algorithm);
  });
}

}  // namespace

const std::vector<Key>& calls_keys() {
  static const std::vector<Key> table{
      named_key("collective", &CallsScope::collective, collective_names),
      named_key("algorithm", &CallsScope::algorithm, algorithms),
      named_key("op", &CallsScope::op, operators),
      number_key<CallsScope>(
          "n", [](CallsScope & scope) -> auto& { return scope.n; }, 0, extent_asked_max),
      named_key("split.n", &CallsScope::rule, split_rules),
      named_key("in_place", &CallsScope::in_place, placements),
  };
  return table;
}

bool allows(const CallsScope& scope, const CallsCase& subject) {
  const bool is_reducing = std::any_of(subject.calls.begin(), subject.calls.end(),
                                       [](const Call& call) { return reduces(call.collective); });
  if (scope.op && (!is_reducing || subject.op != *scope.op)) return false;
  if (scope.rule && subject.split.rule != *scope.rule) return false;
  if (scope.n && (!subject.counts.empty() || subject.n != *scope.n)) return false;
  return has_wanted_call(scope, subject) && agrees(scope.in_place, subject.in_place) &&
         allows_setting(scope, subject);
}

}  // namespace shardcheck
