#pragma once

/// Cases near other cases: what a fuzzer needs, since bytes changed at random in a line hardly ever
/// leave a case. Every part of a case can change by itself, drawn as the generator draws it.

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/properties/generate/entropy.h>

namespace shardcheck::fuzz {

/// `subject` with one to three of its parts changed: a size, the mesh, a layout, a cut, dtypes, an
/// algorithm, the plan, a promise, the data or one value, the schedule; now and then a case that
/// has nothing to do with it. Valid, and within the bounds of case_input.h.
ProductCase mutate(const ProductCase& subject, Entropy& entropy);

/// Mesh, sizes and layouts of one parent, dtypes and data of the other, the rest from either; or,
/// where the parents agree about mesh and sizes, the layout of one tensor from the other. Valid,
/// and within the bounds of case_input.h.
ProductCase cross(const ProductCase& first, const ProductCase& second, Entropy& entropy);

}  // namespace shardcheck::fuzz
