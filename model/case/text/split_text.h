#pragma once

/// Splits as text, and which tensors' axes they cut.
///
///     split.k=sets:0,3,5|1,2,4 split.B.k=balanced

#include <string>

#include <shardcheck/model/case/product_case.h>
#include "fields.h"

namespace shardcheck {

/// "sizes:4,0,3" for an axis of `extent` elements. How many parts it names is for the caller to
/// check.
tl::expected<Split, ParseError> parse_split(Word word, std::int64_t extent);

std::string print_split(const Split& split);

/// Fills the split of every divided axis. Requires: mesh, sizes and layouts are in place.
Failure parse_splits(const Fields& fields, ProductCase& subject);

/// The keys in which `subject` differs from `balanced`, each with a space in front.
std::string print_splits(const ProductCase& subject);

}  // namespace shardcheck
