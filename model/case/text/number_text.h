#pragma once

/// Exact numbers as text, never rounded.
///
/// Here to tell whether a decimal is exactly a value of a dtype. A conversion that rounds (strtod,
/// from_chars) can't say so, hence its result is written out in full and compared with the text.
///
///     "0.1" -> nothing     "0.5" -> 1·2^-1     "0x1.8p1" -> 3·2^0

#include <optional>
#include <string_view>

#include <shardcheck/model/case/number_bits.h>

namespace shardcheck {

/// Decimals as 12, -0.5, 3e4, and hex floats as -0x1.8p-3. Nothing if `text` is no such number, or
/// one that neither f64 nor a 64-bit integer holds.
std::optional<ExactNumber> parse_exact(std::string_view text);

}  // namespace shardcheck
