#pragma once

/// What the judge looks at, of collectives alone.

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/collective/calls_expectation.h>

#include <shardcheck/properties/judge/judgement.h>

namespace shardcheck {

struct CallsEvidence {
  /// Requires: evidence of a case of calls.
  explicit CallsEvidence(const Evidence& of)
      : expectation(static_cast<const model::CallsExpectation&>(of.expectation)),
        subject(expectation.subject),
        promises(of.promises),
        run(of.run) {}

  const model::CallsExpectation& expectation;
  const CallsCase& subject;  ///< as far as the backend promises anything
  const Promises& promises;
  const RunRecord& run;
};

}  // namespace shardcheck
