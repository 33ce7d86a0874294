#pragma once

/// What a product needs to be valid again after one of its parts was changed without regard to the
/// others.

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/properties/generate/entropy.h>

namespace shardcheck::fuzz {

/// Cuts that name their parts (`sizes`, `sets`) are drawn anew where the parts no longer fit sizes
/// and mesh; those that were equal stay equal.
void fit_cuts(ProductCase& subject, Entropy& entropy);

/// Given values are repeated, or left out at the end, until they fill A and B.
void fit_values(ProductCase& subject);

/// A plan that is no longer legal becomes `auto`.
void fit_plan(ProductCase& subject);

}  // namespace shardcheck::fuzz
