#pragma once

/// The same case without its reductions: every rank returns its own partial. The beginning of
/// several mistakes.

#include <optional>

#include <shardcheck/model/case/product_case.h>

namespace shardcheck {

/// The case with plan `local` and a consumer that wants C as it is born; nothing if nothing is to
/// be reduced or the operands would have to move first.
std::optional<ProductCase> without_reductions(const ProductCase& subject);

}  // namespace shardcheck
