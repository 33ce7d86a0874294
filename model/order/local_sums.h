#pragma once

/// What one rank's local sum may be where a case or a backend leaves that open: the leaves of the
/// sums across ranks (any_order.h).
///
///   fused or not   the terms in their order, from +0 on: after each, round(s + round(a·b)) or
///                  round(s + a·b).
///   free           the terms in any order and grouping, +0 among them or not. A term is
///                  round(a·b), or, added to what any others came to, a·b before it is rounded.
///
/// Nothing is rounded to wire inside a rank. Where it isn't known which terms a rank adds, any
/// operand may have been sent.

#include <optional>
#include <span>

#include <shardcheck/model/exact/product.h>
#include "any_order.h"

namespace shardcheck::model {

/// The most terms of a rank whose every order is tried.
inline constexpr std::size_t free_terms_max = 7;

/// The factors: values of acc, NaN and infinities among them. Both: nothing beyond the limits.
std::optional<SumSet> sums_fused_or_not(const DtypeCombination& dtypes, std::span<const Term> terms,
                                        SetLimits& limits);

/// How free terms may be added.
struct FreeTerms {
  bool may_be_fused = true;
  bool may_be_sent = false;  ///< any operand, and the sum itself, may be rounded to wire
};

std::optional<SumSet> sums_of_free_terms(const DtypeCombination& dtypes,
                                         std::span<const Term> terms, const FreeTerms& how,
                                         SetLimits& limits);

}  // namespace shardcheck::model
