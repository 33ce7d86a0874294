#pragma once

/// `data=`, `A=`, `B=` and `run=`.
///
///     data=given A=1,-0,0x1p-140,nan B=inf,2 run=pct:3:7

#include <string>

#include <shardcheck/model/case/product_case.h>
#include "fields.h"

namespace shardcheck {

/// Requires: sizes and dtypes are in place.
Failure parse_data(const Fields& fields, ProductCase& subject);

/// "ints:4": the regime and its seed.
Failure parse_regime(Word word, Data::Regime& regime, std::uint64_t& seed);

/// `count` values, separated by commas. `tensor`: whose they are, for errors.
Failure parse_values(Word word, std::string_view tensor, std::int64_t count, Dtype dtype,
                     std::vector<Bits>& values);

/// What stands after `run=`.
Failure parse_run(Word word, Run& run);

/// "1,-2.5,nan"
std::string print_values(Dtype dtype, const std::vector<Bits>& values);

/// The keys that differ from their defaults, each with a space in front.
std::string print_data(const ProductCase& subject);
std::string print_run(const Run& run);

}  // namespace shardcheck
