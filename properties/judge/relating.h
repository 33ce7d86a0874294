#pragma once

/// Cases that a relation binds, each run and judged by itself, side by side.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/case.h>

#include "judgement.h"
#include "relation.h"
#include "verdict.h"

namespace shardcheck {

/// A case and those that a relation makes of it. One thread.
class Comparison {
 public:
  virtual ~Comparison() = default;

  /// Valid and legal cases, to be run and compared one after the other.
  virtual std::span<const Case> cases() const = 0;

  /// `second` is the evidence of cases()[index], `alone` the verdict on it.
  virtual void compare(std::size_t index, const Evidence& second, const Verdict& alone) = 0;

  /// Once all of them are compared. Kinds of findings are the relation's name and what is wrong:
  /// `transpose_bits`. Not observed if the backend doesn't run one of them.
  virtual Judgement conclude() = 0;
};

/// A finding of a comparison with `related`.
Finding related_finding(Relation relation, std::string_view what, const Case& related);

/// What is wrong with a related case that fails by itself, though the case itself holds.
Finding fails_alone(Relation relation, const Case& related, const Verdict& alone);

/// Those of a kind in the order in which they are tried. Drawn ones come from a place that the case
/// line draws on, so that cases differ in theirs and a case never does: whoever wants one takes the
/// first that applies.
std::vector<Relation> relations_in_turn(Kind kind);
std::vector<Relation> relations_drawn(Kind kind, std::string_view line);

/// The relation of a signature "metamorphic/transpose_bits"; nothing for other invariants.
std::optional<Relation> relation_of(std::string_view signature);

}  // namespace shardcheck
