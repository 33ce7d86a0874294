#pragma once

/// Draws of what every kind of case has.

#include <cstdint>
#include <span>
#include <string_view>

#include <shardcheck/model/case/layout.h>
#include <shardcheck/model/case/setting.h>

#include "entropy.h"
#include "setting_scope.h"

namespace shardcheck {

/// 0 to 40, mostly small.
std::int64_t draw_extent(Entropy& entropy);

/// A rule that cuts `extent` elements into `part_count` parts; uneven and empty parts are common.
Split draw_split(Entropy& entropy, Split::Rule rule, std::int64_t extent, std::int64_t part_count);

/// By the weight of each rule, in the order of the enumerators.
Split::Rule draw_rule(Entropy& entropy, std::span<const std::uint64_t> weights);

/// `must_be_exact`: of the regimes that show every fault, the exact one alone.
Data draw_data(Entropy& entropy, const SettingScope& scope, bool must_be_exact);

/// How often each is drawn; together 100.
struct RunWeights {
  std::uint64_t fibers = 0;
  std::uint64_t pct = 0;
  std::uint64_t threads = 0;
};

Run draw_run(Entropy& entropy, const SettingScope& scope, const RunWeights& weights);

}  // namespace shardcheck
