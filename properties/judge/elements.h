#pragma once

/// Every returned element set beside what the model allows there. Several invariants read this: a
/// wrong value may be poison that nobody overwrote (memory), a k left out (coverage), another
/// rank's shard (ownership), or just wrong (value).

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include <shardcheck/model/expectation/allowed.h>

#include "judgement.h"
#include "run_record.h"

namespace shardcheck {

struct Mismatch {
  std::int64_t rank = 0;
  std::int64_t position = 0;  ///< in the rank's output
  std::int64_t coordinate = 0;
  Bits got = 0;
  model::Allowed allowed;
  bool is_untouched = false;  ///< still poison
  std::int64_t distance = 0;  ///< steps above (below: negative) what is allowed; 0 with a NaN
};

struct Elements {
  std::int64_t judged = 0;
  std::int64_t wrong = 0;
  std::vector<Mismatch> mismatches;  ///< the first of them, by rank and position
  std::vector<std::int64_t> wrong_by_rank;
  std::array<std::int64_t, model::grade_names.size()> by_grade{};
  std::int64_t rounded = 0;
};

/// Mismatches beyond this number are counted, not kept.
inline constexpr std::size_t mismatches_kept = 256;

/// Judges the ranks whose ownership is right; what the others returned has no place to be compared
/// with. `owns_rightly`: by rank.
Elements judge_elements(const Evidence& evidence, const std::vector<bool>& owns_rightly);

/// The same case run again over other poison.
using RunAgain = std::function<RunRecord()>;

/// A wrong value may equal the poison by accident, in 8 bits one time in 256: where another run
/// leaves the same bits over other poison, they were written. That run is made only if some
/// mismatch is untouched.
void confirm_untouched(const RunRecord& run, const RunAgain& run_again, Elements& elements);

}  // namespace shardcheck
