#pragma once

/// What every invariant looks at, and what it says. One function an invariant, in the file of its
/// name; none sees the findings of another, so that each can be tested alone.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/promises.h>
#include <shardcheck/model/expectation/expectation.h>

#include "run_record.h"
#include "verdict.h"

namespace shardcheck {

struct Evidence {
  const Case& asked;                      ///< as it was put to the backend
  const model::Expectation& expectation;  ///< as far as the backend promises anything
  const Promises& promises;
  const RunRecord& run;

  Dtype out() const { return expectation.setting().dtypes.out; }
  std::int64_t rank_count() const { return shardcheck::rank_count(expectation.setting().mesh); }
};

/// The same of one kind, seen as what it is: `OfKind` is what the model expects of that kind.
template <typename OfKind>
struct EvidenceOf {
  /// Requires: evidence of a case of that kind.
  explicit EvidenceOf(const Evidence& of)
      : expectation(static_cast<const OfKind&>(of.expectation)),
        subject(expectation.subject),
        promises(of.promises),
        run(of.run) {}

  const OfKind& expectation;
  decltype((std::declval<const OfKind&>().subject)) subject;  ///< as far as anything is promised
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

/// "C[1,0]"; "element 3", or "element 3 of member 1" where several members' elements are told
/// apart.
std::string element_name(const Case& subject, std::int64_t coordinate);

/// "C[0,0], C[0,1] and 2 more"; "nothing".
std::string elements_named(const Case& subject, const std::vector<std::int64_t>& coordinates);

/// "1, 3, 4 and 6 more".
std::string listed(const std::vector<std::int64_t>& numbers);

}  // namespace shardcheck
