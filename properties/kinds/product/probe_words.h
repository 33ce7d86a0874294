#pragma once

/// What a wrong result of data=probe spells out: there each k that is shown adds a digit of its
/// own, or one that it shares with a few others, and a digit has room to count.
///
///     "k = 3 missing, k = 7 counted 2 times"

#include <cstdint>
#include <string>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/product_case.h>

namespace shardcheck {

/// Empty if the case's data is no probe, or the result is no sum of such digits: negative, NaN, not
/// whole. `got`: in dtype out, of C whole, not of a partial.
std::string probe_words(const ProductCase& subject, std::int64_t coordinate, Bits got);

}  // namespace shardcheck
