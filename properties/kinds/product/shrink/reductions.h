#pragma once

/// The families of smaller products that shrinking tries. Each appends its candidates to the list,
/// the boldest first; a candidate may turn out not to be smaller, or not to have a legal plan, and
/// shrink.cpp drops it then. Every candidate is valid, that is, parse(print(c)) == c.

#include <vector>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/generate/measure.h>

namespace shardcheck {

/// Fewer mesh axes, fewer ranks; parts of `sizes` and `sets` are joined with their neighbours.
void reduce_mesh(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// Rows, columns and k's are taken out, in halves down to one at a time. The values that remain
/// keep their places: where few enough do, the candidate has them as `given`.
void reduce_sizes(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// One row, column or k less, and all values new at once: 1, or 1, 2, 3 and so on. For cases that
/// no single index can leave because its values carry the failure.
void reduce_sizes_and_values(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// Less divided tensors, plainer and more even cuts.
void reduce_layouts(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// Algorithms towards ring, no plan, default kernel and fma.
void reduce_choices(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// The case with the values that its regime makes written out. Requires: not many values.
ProductCase with_values_given(const ProductCase& subject);

/// The case without indices [start, start + count) of one axis. Given values go with them.
ProductCase without(const ProductCase& subject, Axis axis, std::int64_t start, std::int64_t count);

/// All of one dtype, then each role alone; legal ones.
std::vector<DtypeCombination> plainer_dtypes(const DtypeCombination& now);

/// The candidates again with the plan that `auto` now means: a case may fail by its plan alone, and
/// with other sizes `auto` would mean another.
void pin_plans(const ProductCase& subject, const std::vector<Case>& bold,
               std::vector<ProductCase>& candidates);

OwnMeasure measure_own(const ProductCase& subject);

}  // namespace shardcheck
