#pragma once

/// A plan inside a case line; text.h declares the same for a plan alone.

#include <shardcheck/model/case/plan.h>
#include "word.h"

namespace shardcheck {

tl::expected<Plan, ParseError> parse_plan(const Mesh& mesh, Word word);

}  // namespace shardcheck
