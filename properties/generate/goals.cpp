#include "goals.h"

#include <algorithm>

#include "drawing.h"

namespace shardcheck {
namespace {

/// By kind.
const std::vector<std::vector<Goal>>& all_goals() {
  static const std::vector<std::vector<Goal>> goals = [] {
    std::vector<std::vector<Goal>> made;
    for (const KindInfo& entry : kinds) made.push_back(drawing_of(entry.kind).goals());
    return made;
  }();
  return goals;
}

std::int64_t reached(const Goal& goal, const Tally& tally) {
  const auto dimension = tally.counts.find(std::string(goal.dimension));
  if (dimension == tally.counts.end()) return 0;
  if (goal.value.empty()) return static_cast<std::int64_t>(dimension->second.size());
  const auto value = dimension->second.find(std::string(goal.value));
  return value == dimension->second.end() ? 0 : value->second;
}

bool is_ruled_out(const Goal& goal, const Restrictions& restrictions) {
  return std::ranges::any_of(restrictions.only, [&](const auto& restriction) {
    return std::ranges::find(goal.ruled_out_by, restriction.first) != goal.ruled_out_by.end();
  });
}

std::int64_t cases_of(Kind kind, const Tally& tally) {
  const auto counted = tally.counts.find("kind");
  if (counted == tally.counts.end()) return 0;
  const auto cases = counted->second.find(std::string(name(kind)));
  return cases == counted->second.end() ? 0 : cases->second;
}

GoalResult::State state_of(Kind kind, const Goal& goal, const Tally& tally,
                           const Restrictions& restrictions) {
  if (is_ruled_out(goal, restrictions)) return GoalResult::State::not_assessed;
  if (reached(goal, tally) >= goal.required) return GoalResult::State::met;
  return cases_of(kind, tally) < goal.cases_min ? GoalResult::State::not_assessed
                                                : GoalResult::State::unmet;
}

}  // namespace

std::vector<GoalResult> assess(const Tally& tally, const Restrictions& restrictions) {
  std::vector<GoalResult> results;
  for (const KindInfo& entry : kinds) {
    for (const Goal& goal : all_goals()[static_cast<std::size_t>(entry.kind)]) {
      results.push_back({goal.name, goal.meaning, reached(goal, tally), goal.required,
                         state_of(entry.kind, goal, tally, restrictions)});
    }
  }
  return results;
}

}  // namespace shardcheck
