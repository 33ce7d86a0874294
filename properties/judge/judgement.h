#pragma once

/// What every invariant looks at, and what it says. One function an invariant, in the file of its
/// name; none sees the findings of another, so that each can be tested alone.

#include <cstdint>
#include <string>
#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/expect.h>
#include <shardcheck/properties/verdict.h>

#include "run_record.h"

namespace shardcheck {

struct Evidence {
  const ProductCase& subject;
  const model::Expectation& expectation;
  const Promises& promises;
  const RunRecord& run;
};

struct Judgement {
  Outcome outcome = Outcome::not_observed;
  std::vector<Finding> findings;   ///< at most limits::mismatches_printed
  std::int64_t finding_count = 0;  ///< of all, those beyond the limit too
};

/// There was evidence; it holds as far as seen.
void observe(Judgement& judgement);

/// The invariant is broken. Findings beyond the limit are counted, not kept.
void add(Judgement& judgement, Finding finding);

/// What another judgement says is said too.
void absorb(Judgement& judgement, Judgement other);

/// "C[1,0]".
std::string element_name(const ProductCase& subject, std::int64_t coordinate);

/// "element 3", or "element 3 of member 1" where several members' elements are told apart.
std::string element_name(const CallsCase& subject, std::int64_t coordinate);

/// "1, 3, 4 and 6 more".
std::string listed(const std::vector<std::int64_t>& numbers);

}  // namespace shardcheck
