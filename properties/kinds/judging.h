#pragma once

/// What differs from kind to kind where cases are judged: one row a kind. What a row leaves out,
/// the kind hasn't got.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/expectation/expectation.h>

#include <shardcheck/properties/judge/conclude.h>
#include <shardcheck/properties/judge/elements.h>
#include <shardcheck/properties/judge/judgement.h>
#include <shardcheck/properties/judge/relating.h>
#include <shardcheck/properties/judge/swaps.h>

namespace shardcheck {

/// What wrong values say by themselves.
struct Explanation {
  std::vector<std::string> why;    ///< by mismatch: what single mistake would give it; may be empty
  std::vector<Finding> suspected;  ///< of the kind's own invariants
};

struct Judging {
  Kind kind = Kind::product;

  /// Whether sums of this case, whose order the backend promises as far as it does, have one result
  /// each, bit for bit.
  bool (*promises_bits)(const Case& subject, const Promises& promises) = nullptr;

  /// Puts what the case was resolved to into the verdict.
  void (*note_resolved)(const model::Expectation& expectation, Verdict& verdict) = nullptr;

  /// How the backend went about it (invariant `plan`). `evidence.expectation` is the case's own.
  void (*judge_course)(const Evidence& evidence, Judgements& judgements) = nullptr;

  /// What must hold for the course that the backend says it took, where it was free to choose;
  /// nothing: what must hold anyway.
  std::unique_ptr<model::Expectation> (*adopt)(const Evidence& evidence) = nullptr;

  /// Whether the ledger due is that of the course taken.
  bool (*is_course_known)(const Evidence& evidence) = nullptr;

  /// Shards of fewer elements are never called swapped (judge/swaps.h).
  std::size_t swapped_elements_min = 1;

  /// Asked if an element is wrong.
  Explanation (*explain)(const Evidence& evidence, const std::vector<bool>& owns_rightly,
                         const Elements& elements, const std::vector<Swap>& swaps) = nullptr;

  /// What was told of the work itself (invariant `coverage`), and what the values say of it.
  void (*judge_coverage)(const Evidence& evidence, const Explanation& explanation,
                         Judgements& judgements) = nullptr;

  /// The case with data that hide nothing (kinds/product/tokens.h); nothing: there is none such.
  std::optional<Case> (*in_tokens)(const Evidence& evidence) = nullptr;

  /// Nothing if the relation has nothing to say about the case, or it is too large to run twice.
  /// Requires: nothing is wrong with it, and it finished.
  std::unique_ptr<Comparison> (*relate)(Relation relation, const Evidence& first) = nullptr;
};

const Judging& judging_of(Kind kind);

/// The rows.
extern const Judging product_judging;
extern const Judging calls_judging;

}  // namespace shardcheck
