#pragma once

/// For tests: cases of every collective by every algorithm, held against the plain definition.
///
/// The data are random words summed modulo 2^64, so that no term can be left out, taken twice or
/// exchanged unseen, in whatever order they are added.

#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "calls_definition.h"

namespace shardcheck::impl {

/// Modulo 2^64.
Bits sum(const std::vector<Bits>& terms);

std::string describe(const CallsCase& subject);

/// Runs the case: results, what was written, messages sent and received.
void expect_as_defined(ShardedBackend& backend, const CallsCase& subject, const Fold& fold = sum);

/// Even, uneven, with empty blocks; contiguous and not.
std::vector<std::pair<std::int64_t, Split>> divisions(std::int64_t members,
                                                      std::mt19937_64& random);

bool needs_equal_blocks(const Call& call);

/// Calls `check` for every algorithm of every collective, with every division, at every root worth
/// trying. On fibers.
void for_each_case(std::int64_t members, std::mt19937_64& random,
                   const std::function<void(CallsCase)>& check);

}  // namespace shardcheck::impl
