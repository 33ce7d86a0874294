#pragma once

/// What a number or a name on the command line may be. CLI11 by itself reads 010 as 8, -1 as
/// 2^64 - 1, and what is too large as the largest number there is: a run of that is not the run
/// that was asked for.

#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/properties/generate/generate.h>

namespace shardcheck::tools {

/// A million a second for eleven days. Times that are added up over so many cases fit 64 bits.
inline constexpr std::uint64_t count_max = 1'000'000'000'000;
inline constexpr double seconds_max = 1e9;

/// Decimal digits and nothing else, from `low` to `high`. What is wrong, as "found …, expected …";
/// empty: nothing.
std::string why_not_whole(const std::string& text, std::uint64_t low, std::uint64_t high);

/// A finite number, decimal or with an exponent, from `low` to `high`. As above.
std::string why_not_seconds(const std::string& text, double low, double high);

/// Any name but an empty one.
std::string why_no_path(const std::string& text);

/// The entries of `--only`, and `--run` (empty: not given) as one more. Or, in one line, which
/// isn't KEY=VALUE or which two contradict one another; what a key may be is the generator's to
/// say.
tl::expected<Restrictions, std::string> read_restrictions(const std::vector<std::string>& only,
                                                          const std::string& runtime);

}  // namespace shardcheck::tools
