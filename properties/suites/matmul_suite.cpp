#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/plan_rules.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/measure.h>
#include <shardcheck/properties/judge/report.h>

#include "rapidcheck_case.h"

namespace shardcheck {
namespace {

RC_GTEST_PROP(Matmul, EveryGeneratedCasePasses, ()) {
  const Case subject = *arbitrary_case();
  impl::ShardedMatmul backend;
  const Verdict verdict = check(subject, backend);
  if (verdict.status != Status::pass && verdict.status != Status::vacuous) {
    RC_FAIL(print(subject, verdict));
  }
}

RC_GTEST_PROP(Matmul, EveryGeneratedCaseIsTheSameOnceWrittenAndRead, ()) {
  const Case subject = *arbitrary_case();
  const auto again = parse(print(subject));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == subject);
}

RC_GTEST_PROP(Matmul, WhatIsSmallerIsSmallerAndStillLegal, ()) {
  const Case subject = *arbitrary_case();
  const std::vector<Case> candidates = smaller(subject);
  RC_PRE(!candidates.empty());
  const Case& candidate = candidates[*rc::gen::inRange<std::size_t>(0, candidates.size())];
  RC_ASSERT(is_smaller(measure(candidate), measure(subject)));
  RC_ASSERT(model::resolve(candidate).has_value());
}

RC_GTEST_PROP(Matmul, WhatIsSmallerPassesToo, ()) {
  const Case subject = *arbitrary_case();
  const std::vector<Case> candidates = smaller(subject);
  RC_PRE(!candidates.empty());
  const Case& candidate = candidates[*rc::gen::inRange<std::size_t>(0, candidates.size())];
  impl::ShardedMatmul backend;
  const Verdict verdict = check(candidate, backend);
  if (verdict.status != Status::pass && verdict.status != Status::vacuous) {
    RC_FAIL(print(candidate, verdict));
  }
}

}  // namespace
}  // namespace shardcheck
