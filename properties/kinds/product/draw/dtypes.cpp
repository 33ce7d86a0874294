#include <array>
#include <vector>

#include <shardcheck/model/case/dtype_rules.h>

#include <shardcheck/properties/generate/draw.h>

#include "parts.h"

namespace shardcheck {
namespace {

/// What people run. The first is the simplest.
constexpr std::array<DtypeCombination, 12> common{{
    {Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32},
    {Dtype::i32, Dtype::i32, Dtype::i32, Dtype::i32},
    {Dtype::f64, Dtype::f64, Dtype::f64, Dtype::f64},
    {Dtype::i64, Dtype::i64, Dtype::i64, Dtype::i64},
    {Dtype::bf16, Dtype::f32, Dtype::f32, Dtype::bf16},
    {Dtype::bf16, Dtype::f32, Dtype::bf16, Dtype::bf16},
    {Dtype::bf16, Dtype::f32, Dtype::f32, Dtype::f32},
    {Dtype::f16, Dtype::f32, Dtype::f32, Dtype::f16},
    {Dtype::f16, Dtype::f32, Dtype::f16, Dtype::f16},
    {Dtype::f8e4m3fn, Dtype::f32, Dtype::f32, Dtype::bf16},
    {Dtype::f8e5m2, Dtype::f32, Dtype::bf16, Dtype::bf16},
    {Dtype::i8, Dtype::i32, Dtype::i32, Dtype::i32},
}};

std::vector<DtypeCombination> allowed_by(const ProductScope& scope) {
  std::vector<DtypeCombination> allowed;
  for (const DtypeCombination& combination : legal_combinations()) {
    if (allows(scope, combination)) allowed.push_back(combination);
  }
  return allowed;
}

}  // namespace

DtypeCombination draw_dtypes(Entropy& entropy, const ProductScope& scope) {
  // Half the draws spread evenly over the whole table, so that ten thousand cases reach each of its
  // five hundred combinations.
  const bool from_table = chance(entropy, 50);
  if (scope.in || scope.acc || scope.wire || scope.out) return pick(entropy, allowed_by(scope));
  return from_table ? pick(entropy, legal_combinations()) : pick(entropy, common);
}

}  // namespace shardcheck
