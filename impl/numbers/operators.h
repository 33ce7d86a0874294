#pragma once

/// What the operators of a reduction do to arrays of partials, written for speed.
///
///     combine_widened(Operator::min, Side::left, Dtype::i8, message, Dtype::i8, sums, count);
///
/// Partials lie in the storage type of `acc` (convert.h). Floats: each result is rounded to `acc`;
/// -0 < +0 for min and max, and a NaN makes NaN. Integers wrap modulo 2^width and compare as what
/// they are, signed or not. An average is a sum until it is divided. Source: docs/collectives.md,
/// "Meaning". Any thread.

#include <cstddef>
#include <cstdint>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/case/dtype.h>

namespace shardcheck::impl {

/// Where an operand stands in `operand ⊕ partial` or `partial ⊕ operand`.
enum class Side : std::uint8_t { left, right };

/// sums[n] = source[n], widened, on its side of sums[n]. Neither need be aligned.
/// Requires: the operator is one for `acc`.
void combine_widened(Operator op, Side side, Dtype from, const std::byte* source, Dtype acc,
                     std::byte* sums, std::int64_t count);

/// The same with an operand that lies in storage.
void combine_stored(Operator op, Side side, Dtype acc, const std::byte* operand, std::byte* sums,
                    std::int64_t count);

/// sums[n] = operand[n] on its side of own[n], all in storage. `sums` is `own` itself or overlaps
/// nothing.
void combine_into(Operator op, Side side, Dtype acc, const std::byte* operand, const std::byte* own,
                  std::byte* sums, std::int64_t count);

/// Each sum divided and rounded to `acc` once; integers are wrapped first, and truncated towards 0.
/// Requires: 1 <= divisor <= limits::ranks.
void divide(Dtype acc, std::int64_t divisor, std::byte* sums, std::int64_t count);

/// Whether the operator is defined for elements of the dtype.
bool serves(Operator op, Dtype dtype);

}  // namespace shardcheck::impl
