#pragma once

/// Given values near other given values.

#include <vector>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/element.h>
#include <shardcheck/properties/generate/entropy.h>

namespace shardcheck::fuzz {

/// One value becomes a neighbour, a special value, a copy of another one or any pattern at all. A
/// NaN that isn't the canonical one becomes it as the case is written. Nothing if there is none.
void change_one_of(std::vector<Bits>& values, Dtype dtype, Entropy& entropy);

/// NaN, an infinity, a zero or a small number; a small number where the dtype has no such value.
Bits special_value(Dtype dtype, Entropy& entropy);

}  // namespace shardcheck::fuzz
