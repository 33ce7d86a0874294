#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

#include "rapidcheck_case.h"

namespace shardcheck {
namespace {

RC_GTEST_PROP(Matmul, EveryGeneratedCasePasses, ()) {
  const ProductCase subject = *arbitrary_case();
  impl::ShardedBackend backend;
  const Verdict verdict = check(subject, backend);
  if (verdict.status != Status::pass && verdict.status != Status::vacuous) {
    RC_FAIL(print(subject, verdict));
  }
}

RC_GTEST_PROP(Matmul, EveryGeneratedCaseIsTheSameOnceWrittenAndRead, ()) {
  const ProductCase subject = *arbitrary_case();
  const auto again = parse_product(print(subject));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == subject);
}

/// RapidCheck's own loop would take the many candidates of every case; a part of them will do.
TEST(Matmul, WhatIsSmallerThanAGeneratedCasePassesToo) {
  impl::ShardedBackend backend;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SeededEntropy entropy(seed);
    const ProductCase subject = generate_product(entropy);
    const std::vector<Case> candidates = smaller(subject);
    for (std::size_t index = seed % 7; index < candidates.size(); index += 7) {
      const Verdict verdict = check(candidates[index], backend);
      ASSERT_TRUE(verdict.status == Status::pass || verdict.status == Status::vacuous)
          << print(candidates[index], verdict);
    }
  }
}

/// The line that RapidCheck prints for a failure is a case that our shrinker has made small.
TEST(Matmul, RapidCheckEndsAtAsSmallACaseAsOurSearch) {
  const auto fails = [](const ProductCase& subject) { return subject.k >= 3 && subject.i >= 1; };
  auto shrinkable = arbitrary_case()(rc::Random(5));
  while (!fails(shrinkable.value())) shrinkable = arbitrary_case()(rc::Random(6));
  bool is_improved = true;
  while (is_improved) {
    is_improved = false;
    auto shrinks = shrinkable.shrinks();
    while (auto next = shrinks.next()) {
      if (!fails(next->value())) continue;
      shrinkable = *next;
      is_improved = true;
      break;
    }
  }
  EXPECT_EQ(print(shrinkable.value()),
            "matmul mesh=x1 i=1 j=0 k=3 A[i,k] B[k,j] -> C[i,j] data=given A=0,0,0 B=");
}

}  // namespace
}  // namespace shardcheck
