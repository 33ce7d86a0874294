#pragma once

/// Which one contribution, got wrong, would give exactly the wrong values that came?
///
/// An answer must explain every wrong element of a block of C that one group of ranks computed, and
/// must not ask for a change in an element that came out right; a difference of one step explains
/// nothing, for a tiny contribution could be the cause as well as a wrong rounding.

#include <cstdint>
#include <string>
#include <vector>

#include <shardcheck/model/product/values.h>

#include <shardcheck/properties/judge/elements.h>
#include <shardcheck/properties/judge/swaps.h>

#include "evidence.h"

namespace shardcheck {

struct Suspicion {
  std::vector<model::Alteration> alterations;  ///< each explains all of `mismatches`; not empty
  std::vector<std::size_t> mismatches;         ///< indices into Elements::mismatches
};

/// For blocks of C whose mismatches are explained, one for each set of alterations that explains
/// some of them, in the order of their first mismatch. Ranks
/// that swapped shards and elements that nobody wrote are left out.
std::vector<Suspicion> find_suspects(const ProductEvidence& evidence, const Elements& elements,
                                     const std::vector<Swap>& swaps);

/// "k = 3 is missing, or k = 5 is missing".
std::string describe(const Suspicion& suspicion);

/// With the place, replicas counted once: "rank 2 counted twice in rows 3..5", "k = 7 is missing
/// everywhere". "at least" says that more elements were wrong than were kept.
std::string describe(const ProductCase& subject, const Elements& elements,
                     const Suspicion& suspicion);

}  // namespace shardcheck
