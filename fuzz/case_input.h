#pragma once

/// A case as a fuzzing input: the text of a corpus file (properties/corpus/corpus.h), so that
/// seeds, crashes and regressions are one format. The engine's mutator writes the case line alone.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include <shardcheck/model/case/case.h>

namespace shardcheck::fuzz {

/// The case of the input, of either kind, or what is wrong with it, in one line.
tl::expected<Case, std::string> read_case(std::string_view input);

/// The input that holds this case and nothing else.
std::string write_case(const Case& subject);

/// Bounds on one execution, so that a second holds many of them. Each is several times what the
/// generator draws: whatever is wrong at a larger size than that and at none below isn't found by
/// fuzzing, but by the property runs' and the tests' larger cases.
namespace work {
inline constexpr std::int64_t ranks = 64;
inline constexpr std::int64_t extent = 96;
/// Of a vector of collectives alone.
inline constexpr std::int64_t length = 512;
/// Elements of A, B and every rank's C, and multiply-adds; of collectives, elements of every rank's
/// vector times the members of its group.
inline constexpr std::int64_t operations = std::int64_t{1} << 17;
}  // namespace work

/// Why a case isn't run: too much work for one execution, or a recorded schedule, which fits one
/// case and no mutation of it. Nothing if it is run.
std::optional<std::string> why_not_run(const Case& subject);

}  // namespace shardcheck::fuzz
