#pragma once

/// The documented computation of one element of C, replayed: local sums in the order of the k
/// lists, then the reducing steps, then one rounding to out; as it must be, or with one
/// contribution altered. Typed by dtype acc inside, patterns outside.
///
/// Independent of any schedule and of any rank but by its place: see reduction_tree.h.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/model/order/term_sum.h>
#include <shardcheck/model/plan/rules.h>
#include "reduction_tree.h"

namespace shardcheck::model {

/// One contribution gone wrong, in terms of parts of k.
struct Change {
  enum class Kind : std::uint8_t { none, drop_k, double_k, mispair_k, drop_part, double_part };

  Kind kind = Kind::none;
  std::int64_t index = 0;  ///< a k, or a part
};

/// Any thread.
class Replay {
 public:
  virtual ~Replay() = default;

  /// Row i of C. `results`: pattern of (j, result) at j · result_count + result, dtype out.
  /// `is_exact`, by j: 1 where no sum can round, whatever the order.
  virtual void row(std::int64_t i, std::span<Bits> results,
                   std::span<std::uint8_t> is_exact) const = 0;

  /// One element, dtype out.
  virtual Bits result(std::int64_t i, std::int64_t j, std::int64_t result_index,
                      const Change& change) const = 0;

  /// The local sum of one part of k, dtype acc.
  virtual Bits partial(std::int64_t i, std::int64_t j, std::int64_t part,
                       const Change& change) const = 0;

  /// The factors of the products of one part of k, in the order of its list; those of a part that
  /// is counted twice once. Requires: floats.
  virtual std::vector<Term> part_terms(std::int64_t i, std::int64_t j, std::int64_t part,
                                       const Change& change) const = 0;

  /// The parts of k that go into a result.
  virtual std::vector<std::int64_t> parts_of(std::int64_t result_index) const = 0;

  /// The factors of every product that goes into one element. Requires: floats.
  virtual std::vector<Term> terms(std::int64_t i, std::int64_t j, std::int64_t result_index,
                                  const Change& change) const = 0;

  /// The exact sum of those products. Requires: floats.
  virtual TermSum sum(std::int64_t i, std::int64_t j, std::int64_t result_index,
                      const Change& change) const = 0;

  /// Whether that sum, of finite terms, is this value. Requires: floats, a finite value.
  virtual bool is_sum(std::int64_t i, std::int64_t j, std::int64_t result_index,
                      double value) const = 0;

  /// Whether a change has any bearing on a result.
  virtual bool concerns(const Change& change, std::int64_t result_index) const = 0;

  /// k's of the longest part.
  virtual std::int64_t longest_part() const = 0;
};

/// Keeps a reference to `reduction` alone.
std::unique_ptr<Replay> make_replay(const ProductCase& subject, const ResolvedPlan& plan,
                                    const Reduction& reduction);

}  // namespace shardcheck::model
