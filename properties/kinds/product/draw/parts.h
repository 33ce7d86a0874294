#pragma once

/// The parts of a product, one drawing function each; product.cpp puts them together.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/properties/generate/draw_setting.h>
#include <shardcheck/properties/generate/entropy.h>

#include "scope.h"

namespace shardcheck {

DtypeCombination draw_dtypes(Entropy& entropy, const ProductScope& scope);

/// How many k a C of so many elements can have and still show each of them: in a narrow format a
/// sum of many terms doesn't change when one of them does.
std::int64_t terms_max(const DtypeCombination& combination, std::int64_t element_count);

Mesh draw_mesh(Entropy& entropy, const ProductScope& scope);

/// Fills the layouts of A, B and C. Requires: mesh and sizes are set.
void draw_layouts(Entropy& entropy, const ProductScope& scope, ProductCase& subject);

/// A cut of an axis over these mesh axes, by a rule that the scope allows; undivided if over none.
Cut draw_cut(Entropy& entropy, const ProductScope& scope, const ProductCase& subject, Axis axis,
             std::vector<int> over);

/// Fills the layout of C, most of the time as the operands lie. Requires: those are set.
void draw_consumer(Entropy& entropy, const ProductScope& scope, ProductCase& subject);

/// An explicit plan for the case, legal most of the time: a walk over legal steps that ends at what
/// the consumer asks for. Empty if the walk went astray. Requires: all else is set.
Plan draw_plan(Entropy& entropy, const ProductCase& subject);

/// The same with this step, which multiplies, for its product.
Plan draw_plan(Entropy& entropy, const ProductCase& subject, const Step& product);

/// Gives the case a woven step, with a mesh and layouts that suit it; what the scope says of a mesh
/// holds. False, and nothing changed, if it came to no legal plan. Requires: all else is set.
bool draw_woven(Entropy& entropy, const ProductScope& scope, ProductCase& subject);

/// Layouts that suit this woven step on the mesh as it is, which may be one on which it isn't
/// legal.
void lay_out_for(Entropy& entropy, const ProductScope& scope, const Step& woven,
                 ProductCase& subject);

}  // namespace shardcheck
