#pragma once

/// Coverage of a backend that doesn't tell its products: the case once more, in i64 with random
/// 64-bit values, tokens. Sums wrap modulo 2^64 and are the same in every order, and whoever leaves
/// out, doubles or mispairs a k or a rank's part changes a result, whatever the case's own data
/// hide: the term of one k is 0, or equal to another's, about once in 2^60.
///
///     check(*in_tokens(c, expectation.plan.steps), backend)

#include <optional>

#include <shardcheck/model/case/product_case.h>

namespace shardcheck {

inline constexpr DtypeCombination token_dtypes{Dtype::i64, Dtype::i64, Dtype::i64, Dtype::i64};

/// The case with tokens for its data; nothing if it is too large in i64. `steps`: what it was run
/// by. `auto` stays where it means these in i64 too, else they are spelled out.
std::optional<ProductCase> in_tokens(const ProductCase& subject, const Plan& steps);

}  // namespace shardcheck
