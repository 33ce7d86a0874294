#pragma once

/// The families of smaller cases that shrinking tries. Each appends its candidates to the list, the
/// boldest first; a candidate may turn out not to be smaller, or not to have a legal plan, and
/// shrink.cpp drops it then. Every candidate is valid, that is, parse(print(c)) == c.

#include <vector>

#include <shardcheck/model/case/product_case.h>

namespace shardcheck {

/// Fewer mesh axes, fewer ranks; parts of `sizes` and `sets` are joined with their neighbours.
void reduce_mesh(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// Rows, columns and k's are taken out, in halves down to one at a time. The values that remain
/// keep their places: where few enough do, the candidate has them as `given`.
void reduce_sizes(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// One row, column or k less, and all values new at once: 1, or 1, 2, 3 and so on. For cases that
/// no single index can leave because its values carry the failure.
void reduce_sizes_and_values(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// Less divided tensors, plainer and more even cuts, mesh axes named x, y, z.
void reduce_layouts(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// Dtypes towards f32, algorithms towards ring, no plan, default promises, schedules towards 0.
void reduce_choices(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// Data of a regime becomes `given` or gets a smaller seed; given values become small integers.
void reduce_data(const ProductCase& subject, std::vector<ProductCase>& candidates);

/// The case with the values that its regime makes written out. Requires: not many values.
ProductCase with_values_given(const ProductCase& subject);

/// The case without indices [start, start + count) of one axis. Given values go with them.
ProductCase without(const ProductCase& subject, Axis axis, std::int64_t start, std::int64_t count);

/// Changes the dtypes, given values included. False if one of those doesn't exist in the new `in`.
bool set_dtypes(ProductCase& subject, const DtypeCombination& combination);

}  // namespace shardcheck
