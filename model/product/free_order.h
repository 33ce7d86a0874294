#pragma once

/// What an element of C may be where an order is left open (docs/plans.md, "Free orders"): across
/// ranks (`order=any`), or within them (`fma=any`, or a backend that promises no local order).
///
/// A local sum that is known is one value, else a set (local_sums.h). Across ranks the documented
/// tree adds sets instead of values, or every tree does (any_order.h). Whatever is too much for
/// that has a bound (envelope.h). Where it isn't even known which terms a rank adds, the trees are
/// those over all terms.

#include <cstdint>
#include <optional>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/model/expectation/allowed.h>
#include <shardcheck/model/order/any_order.h>
#include <shardcheck/model/order/envelope.h>
#include "reduction_tree.h"
#include "replay.h"

namespace shardcheck::model {

/// What is promised about the order of a local product's sums.
enum class LocalOrder : std::uint8_t {
  ascending,  ///< that of the k list
  free        ///< none, and fusing is free too
};

/// Whether it is known which terms a rank adds up by itself.
enum class Grouping : std::uint8_t {
  planned,  ///< those that the plan gives it
  unknown   ///< a backend that doesn't tell its steps and promises no order may have taken others
};

/// Any thread.
class FreeOrder {
 public:
  /// Keeps references to the case, the reduction and the replay.
  FreeOrder(const ProductCase& subject, const Reduction& reduction, const Replay& replay,
            LocalOrder local_order, Grouping grouping);

  /// Whether anything is open. Without it nothing below is asked for: integers, for instance.
  bool is_free() const {
    return is_across_ranks_ || is_fusing_open_ || is_local_open_ || is_grouping_open_;
  }

  /// Whether a sum of nothing but −0 may stay one: no +0 need be added to it.
  bool may_lack_zero() const { return is_local_open_ || is_grouping_open_; }

  /// The one result, if the sum is exact whatever the order.
  std::optional<Allowed> exact(std::int64_t i, std::int64_t j, std::int64_t result,
                               const Change& change, const TermSum& sum) const;

  /// Exactly what some order gives; nothing beyond the limits.
  std::optional<Allowed> results(std::int64_t i, std::int64_t j, std::int64_t result,
                                 const Change& change, SetLimits& limits) const;

  /// What no order leaves. `sum`: the exact sum, here and above.
  Allowed bounds(const TermSum& sum) const;

 private:
  Roundings roundings() const;
  Roundings roundings_of_any_grouping(const Roundings& planned) const;
  std::optional<Allowed> results_of_any_grouping(std::int64_t i, std::int64_t j,
                                                 std::int64_t result, const Change& change,
                                                 SetLimits& limits) const;
  std::optional<SumSet> local_sums(std::int64_t i, std::int64_t j, std::int64_t part,
                                   const Change& change, SetLimits& limits) const;

  const ProductCase& subject_;
  const Reduction& reduction_;
  const Replay& replay_;
  bool is_across_ranks_;
  bool is_fusing_open_;
  bool is_local_open_;
  bool is_grouping_open_;
  bool may_fuse_;   ///< products that aren't surely rounded first
  bool uses_wire_;  ///< a partial sum may be sent somewhere
  EnvelopeFactors factors_;
};

}  // namespace shardcheck::model
