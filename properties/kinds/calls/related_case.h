#pragma once

/// The cases that a relation makes of a case and of what its run returned, and what they must
/// return by that.

#include <cstdint>
#include <optional>
#include <vector>

#include <shardcheck/model/case/calls_case.h>

#include <shardcheck/properties/judge/bytes_by_place.h>
#include <shardcheck/properties/judge/relation.h>

#include "evidence.h"

namespace shardcheck {

struct RelatedCase {
  CallsCase subject;
  /// By rank and position in what it returns; nothing: not said.
  std::vector<std::vector<std::optional<Bits>>> due;
  /// The same also where sums round: the trees are the same.
  bool rounds_alike = false;
  /// By phase of this case: the phase of RelatedCalls::bytes that it counts for; −1: none.
  std::vector<std::int64_t> phase_of;
};

struct RelatedCalls {
  std::vector<RelatedCase> cases;
  /// What they send together; nothing: not said.
  std::optional<BytesByPlace> bytes;
};

/// Nothing if the relation doesn't apply, or the case is larger than 65,536 elements in all or 256
/// ranks. `asked`: the case of `first` as it was written. Requires: nothing is wrong with `first`,
/// and it finished.
std::optional<RelatedCalls> relate(Relation relation, const CallsCase& asked,
                                   const CallsEvidence& first);

}  // namespace shardcheck
