#pragma once

/// How the text names an algorithm, for products and for collectives alone.

#include <tl/expected.hpp>

#include "algorithm.h"
#include "text.h"
#include "text_word.h"

namespace shardcheck {

/// One that the collective has.
tl::expected<Algorithm, ParseError> parse_algorithm(Collective collective, Word word);

}  // namespace shardcheck
