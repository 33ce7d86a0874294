#pragma once

/// The parts into which a plan's local products cut k, and in which order each is added.
///
/// Ranks with the same part of k add it in one order, unless a schedule says otherwise: then the
/// order depends on mesh axes that cut C's rows or columns, and so on an element's i and j. Order 0
/// is that of `ks`, and the only one of all other plans.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/model/plan/rules.h>
#include "reduction_tree.h"

namespace shardcheck::model {

/// The k's of every part, one part after the other.
struct KParts {
  std::vector<std::int64_t> ks;          ///< each part in its order 0
  std::vector<std::int64_t> begin;       ///< by part; one entry more at the end
  std::vector<std::int64_t> place_of_k;  ///< in `ks`
  std::vector<std::int64_t> part_of_k;

  std::int64_t order_count = 1;
  /// Element (i, j) is added in order row_order[i] + column_order[j].
  std::vector<std::int64_t> row_order;
  std::vector<std::int64_t> column_order;
  /// At order · K + position: the place in `ks` of what is added there. A part has the positions
  /// that it has in `ks`, in every order.
  std::vector<std::int64_t> places;

  KParts(const ProductCase& subject, const ResolvedPlan& plan, const Reduction& reduction);

  std::int64_t order_of(std::int64_t i, std::int64_t j) const {
    return row_order[static_cast<std::size_t>(i)] + column_order[static_cast<std::size_t>(j)];
  }
};

}  // namespace shardcheck::model
