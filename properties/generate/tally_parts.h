#pragma once

/// What the tallies of both kinds of case have in common.

#include <string>
#include <string_view>

#include "goals.h"

namespace shardcheck {

/// Dimensions of cases of collectives start so, where products have a dimension of that name.
inline constexpr std::string_view collectives_prefix = "alone: ";
/// The dimension of the cells of collective_cells.h.
inline constexpr std::string_view reach_table = "reach table";

void add(Tally& tally, const std::string& dimension, std::string_view value);

/// Status, invariants, grades and relations; each dimension's name behind `prefix`.
void count_verdict(Tally& tally, std::string_view prefix, const Verdict& verdict);

/// How much of what could go wrong the data would have shown, by regime.
void count_blindness(Tally& tally, std::string_view prefix, Data::Regime regime,
                     const Verdict& verdict);

}  // namespace shardcheck
