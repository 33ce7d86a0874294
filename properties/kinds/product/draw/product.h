#pragma once

/// Random products from an entropy source.

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/properties/generate/entropy.h>

#include "scope.h"

namespace shardcheck {

/// One draw; it may miss the scope or have no legal plan. Requires: no contradiction in the scope.
ProductCase draw_product(Entropy& entropy, const ProductScope& scope);

/// Whether the scope asks for such a case, and it has a legal plan. Requires: draw_product() drew
/// it.
bool is_met(const ProductScope& scope, const ProductCase& subject);

/// A valid case with a legal plan. Requires: some case meets the scope. The same entropy gives the
/// same case on every machine.
ProductCase generate_product(Entropy& entropy, const ProductScope& scope = {});

}  // namespace shardcheck
