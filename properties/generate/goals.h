#pragma once

/// What a run has tried, and what it must have tried: an invariant that never met an empty shard
/// has not been tested on one. An unmet goal is a failure of the run.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/judge/verdict.h>

#include "generate.h"

namespace shardcheck {

/// Cases counted by dimension ("ranks", "in", "status", "grade", ...) and value ("4", "bf16", ...).
/// std::map, so that it prints in one order.
struct Tally {
  std::int64_t cases = 0;
  std::map<std::string, std::map<std::string, std::int64_t>> counts;

  bool operator==(const Tally&) const = default;
};

void count(Tally& tally, const Case& subject, const Verdict& verdict);
void merge(Tally& tally, const Tally& other);

struct GoalResult {
  enum class State : std::uint8_t { met, unmet, not_assessed };

  std::string_view name;
  std::string_view meaning;
  std::int64_t reached = 0;
  std::int64_t required = 0;
  State state = State::unmet;
};

/// Every goal, in a fixed order. A goal that `restrictions` rule out, or whose minimum number of
/// cases the tally hasn't got, is not assessed.
std::vector<GoalResult> assess(const Tally& tally, const Restrictions& restrictions);

}  // namespace shardcheck
