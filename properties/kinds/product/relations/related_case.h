#pragma once

/// The case that a relation makes of another, and what the two answers have in common.
///
///     const auto related = relate(Relation::transpose, c, expectation.plan);
///     related->subject      // a valid case with its plan spelled out
///
/// For who adds a relation: an entry in judge/relation.h's table, a function below in a file of its
/// own, and a line in relate(). What it claims must follow from docs/plans.md alone; say why beside
/// each claim. Bits that are equal only because two sums happen to be exact need no claim: the
/// judge compares them whatever the relation.

#include <cstdint>
#include <optional>
#include <vector>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/plan/rules.h>

#include <shardcheck/properties/judge/relation.h>

namespace shardcheck {

struct Related {
  /// How the bytes of one phase relate to those of the phase that it comes from.
  enum class Bytes : std::uint8_t {
    unrelated,
    equal_by_pair,  ///< between the corresponding ranks
    equal,          ///< in all
    no_less,        ///< in all, than in the first case
    no_more
  };

  ProductCase subject;
  /// By rank of the first case: the rank that holds what it held. That rank owns the elements of
  /// all ranks that it stands for and no others.
  std::vector<std::int64_t> rank_of;
  bool is_transposed = false;  ///< C[i,j] of the first case is C[j,i] here
  int exponent = 0;            ///< C is 2^exponent times the first one
  /// Where the case declares an order, every sum rounds as in the first case.
  bool rounds_alike = false;
  std::vector<std::int64_t> phase_of;  ///< by phase: the phase of the first case; several may share
  std::vector<Bytes> bytes;            ///< by phase of the first case
};

/// Nothing if the relation has nothing to say about the case, or the case is too large to run
/// twice. `plan`: of `subject`, resolved.
std::optional<Related> relate(Relation relation, const ProductCase& subject,
                              const model::ResolvedPlan& plan);

std::optional<Related> scaled(const ProductCase& subject, const model::ResolvedPlan& plan);
std::optional<Related> transposed(const ProductCase& subject, const model::ResolvedPlan& plan);
std::optional<Related> with_ranks_joined(const ProductCase& subject,
                                         const model::ResolvedPlan& plan);
std::optional<Related> with_zeros_appended(const ProductCase& subject,
                                           const model::ResolvedPlan& plan);
std::optional<Related> with_ranks_appended(const ProductCase& subject,
                                           const model::ResolvedPlan& plan);
std::optional<Related> with_ranks_relabelled(const ProductCase& subject,
                                             const model::ResolvedPlan& plan);
std::optional<Related> reduced_then_gathered(const ProductCase& subject,
                                             const model::ResolvedPlan& plan);
std::optional<Related> woven_apart(const ProductCase& subject, const model::ResolvedPlan& plan);

}  // namespace shardcheck
