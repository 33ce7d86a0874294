#pragma once

/// The harness in one call, for a test of one's own backend: random cases until one fails, then the
/// smallest case that fails the same way.
///
///     TEST(MyBackend, IsRight) {
///       MyBackend backend;
///       const SearchResult result = find_failure(backend, {.cases = 2000});
///       ASSERT_FALSE(result.failure) << print(*result.failure);
///       EXPECT_GT(result.passed, 1000);  // else most cases were `unsupported`
///     }

#include <cstdint>
#include <optional>
#include <string>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/judge/verdict.h>

#include "generate.h"

namespace shardcheck {

struct Search {
  std::int64_t cases = 1000;
  std::uint64_t seed = 0;  ///< equal seeds try equal cases
  /// Requires: valid, and they leave a kind that the backend serves, else it aborts and says why.
  Restrictions restrictions{};
  std::int64_t candidates_max = 2000;  ///< budget for making the failure smaller
};

struct Failure {
  Case found;       ///< as drawn
  Case smallest;    ///< same invariant, same kind
  Verdict verdict;  ///< of `smallest`
};

struct SearchResult {
  std::int64_t tried = 0;
  std::int64_t passed = 0;
  std::int64_t unsupported = 0;  ///< the backend says that it doesn't run such cases
  std::int64_t vacuous = 0;      ///< nothing was wrong, but the data could not have shown a fault
  std::optional<Failure> failure;
};

/// Draws only kinds of case that the backend serves. One thread. Stops at the first failure. A
/// backend that hangs or dies takes the process with it: the `shardcheck` command supervises such
/// runs, this doesn't.
SearchResult find_failure(Backend& backend, const Search& search = {});

/// The report of the smallest case, and the case as found.
std::string print(const Failure& failure);

}  // namespace shardcheck
