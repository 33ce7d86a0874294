#pragma once

/// How the partials of one element of C become its result: the documented tree of every reducing
/// step of a plan, and where a value is rounded to wire and to out (docs/plans.md, "Values").
///
/// Ranks that hold the same k compute the same partial, and replicas stay equal. An element's value
/// therefore depends on a rank's coordinates along those mesh axes alone over which C is still
/// partial at that point. Its partials are an array with one dimension for each such axis, and a
/// reducing step folds one dimension:
///
///     mesh=x2,y3, k cut over both: partials[x][y]; reduce_scatter:C/y gives [x]; over x: one value

#include <cstdint>
#include <span>
#include <vector>

#include <shardcheck/model/calls/tree.h>
#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/plan/rules.h>

namespace shardcheck::model {

/// Which block an element falls into, by its row i and column j.
struct BlockRule {
  /// The block is row[i] + column[j]; by position: of the element in what its ranks hold,
  /// position row[i] · column_count[j] + column[j] of row_count[i] · column_count[j] elements.
  bool is_by_position = false;
  std::vector<std::int64_t> row;
  std::vector<std::int64_t> column;
  std::vector<std::int64_t> row_count;
  std::vector<std::int64_t> column_count;
};

struct ReductionStep {
  enum class Kind : std::uint8_t {
    fold,    ///< partials along one mesh axis are summed
    to_wire  ///< replicated while still partial: everybody goes on with the rounded value
  };

  Kind kind = Kind::fold;
  // fold alone:
  Collective collective = Collective::reduce_scatter;
  Algorithm algorithm = Algorithm::ring;
  std::int64_t inner_count = 1;  ///< partials of the dimensions after the folded one
  // fold, and to_wire if `is_handed_back`:
  std::int64_t member_count = 1;
  BlockRule block{};
  // to_wire alone: which elements are rounded. `is_handed_back`: those of blocks whose member is
  // folded into another, which sends it its block in the end; `is_selective`: those that travel,
  // for which row_move[i] + column_move[j] is not 0; else all.
  bool is_handed_back = false;
  bool is_selective = false;
  std::vector<std::int64_t> row_move{};
  std::vector<std::int64_t> column_move{};
};

struct Reduction {
  std::int64_t part_count = 1;               ///< parts into which k is cut
  std::vector<std::int64_t> part_of_rank;    ///< its place in the array of partials
  std::vector<std::int64_t> rank_of_part;    ///< the first rank that holds it
  std::int64_t result_count = 1;             ///< above 1: C stays partial, as the consumer asked
  std::vector<std::int64_t> result_of_rank;  ///< by rank
  std::vector<ReductionStep> steps;          ///< those that change a value, in order
  /// Whether something is ever rounded to wire; the most additions and roundings to wire between a
  /// partial and the result, over all trees that sum the members of a group.
  bool uses_wire = false;
  std::int64_t additions_deep = 0;
  std::int64_t wire_roundings_deep = 0;
  std::int64_t wire_roundings = 0;  ///< the most of them on an element, all parts together
};

Reduction reduction(const ProductCase& subject, const ResolvedPlan& plan);

/// The documented tree of element (i, j). Requires: a fold.
ReductionTree tree_of(const ReductionStep& step, std::int64_t i, std::int64_t j);

/// Whether a step of kind to_wire rounds element (i, j).
bool travels(const ReductionStep& step, std::int64_t i, std::int64_t j);

/// Whether the sum of all partials of element (i, j) is rounded to wire once nothing is left to
/// add: it was replicated while partial over mesh axes of size 1 alone.
bool is_sum_rounded_to_wire(const Reduction& reduction, std::int64_t i, std::int64_t j);

/// Whether the partial of `contributor` at (i, j) goes into what `rank` has there in the end: of
/// several ranks that hold the same part of k, one does.
/// Requires: `rank` owns (i, j) at the end.
bool contributes(const ProductCase& subject, const ResolvedPlan& plan, std::int64_t contributor,
                 std::int64_t rank, std::int64_t i, std::int64_t j);

/// What collective/tree.h folds with: ⊕ is the sum of a plan's accumulator.
template <class Arithmetic>
struct Summing {
  using Value = typename Arithmetic::Value;

  const Arithmetic& arithmetic;

  Value combine(const Value& x, const Value& y) const { return arithmetic.add(x, y); }
  Value through_wire(const Value& x) const { return arithmetic.through_wire(x); }
};

/// Replaces the partials of element (i, j) by its results, in acc, one for each result.
/// `partials`: part_count of them.
template <class Arithmetic>
void reduce(const Arithmetic& arithmetic, const Reduction& reduction, std::int64_t i,
            std::int64_t j, std::span<typename Arithmetic::Value> partials) {
  auto count = static_cast<std::int64_t>(partials.size());
  for (const ReductionStep& step : reduction.steps) {
    switch (step.kind) {
      case ReductionStep::Kind::fold: {
        const ReductionTree tree = tree_of(step, i, j);
        const std::int64_t inner = step.inner_count;
        const std::int64_t outer = count / (step.member_count * inner);
        // In place: entry (o, n) lies before every entry that is still to be read.
        for (std::int64_t o = 0; o < outer; ++o) {
          for (std::int64_t n = 0; n < inner; ++n) {
            const auto partial = [&](std::int64_t m) -> const auto& {
              return partials[static_cast<std::size_t>((o * step.member_count + m) * inner + n)];
            };
            partials[static_cast<std::size_t>(o * inner + n)] =
                fold(Summing<Arithmetic>{arithmetic}, tree, step.member_count, partial);
          }
        }
        count = outer * inner;
        break;
      }
      case ReductionStep::Kind::to_wire: {
        if (!travels(step, i, j)) break;
        for (std::int64_t n = 0; n < count; ++n) {
          auto& value = partials[static_cast<std::size_t>(n)];
          value = arithmetic.through_wire(value);
        }
        break;
      }
    }
  }
}

}  // namespace shardcheck::model
