#pragma once

/// How the text names an algorithm, for products and for collectives alone.

#include <tl/expected.hpp>

#include <shardcheck/model/case/algorithm.h>
#include <shardcheck/model/case/text.h>
#include "word.h"

namespace shardcheck {

/// One that the collective has.
tl::expected<Algorithm, ParseError> parse_algorithm(Collective collective, Word word);

}  // namespace shardcheck
