#pragma once

/// The same product by another way than the one asked for. The beginning of several mistakes.

#include <optional>
#include <span>
#include <string_view>

#include <shardcheck/model/case/product_case.h>

namespace shardcheck {

/// By other algorithms: what was a ring is direct, all else a ring.
ProductCase with_other_algorithms(const ProductCase& subject);

/// By the first of these plans that is legal and isn't the one asked for; nothing if none is.
std::optional<ProductCase> with_another_plan(const ProductCase& subject,
                                             std::span<const std::string_view> plans);

}  // namespace shardcheck
