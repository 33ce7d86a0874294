#include <array>
#include <string>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/rules.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/case_number.h>
#include <shardcheck/properties/judge/report.h>
#include <shardcheck/properties/kinds/product/relations/related_case.h>

namespace shardcheck {
namespace {

constexpr std::int64_t cases = 3000;

ProductCase product_number(std::uint64_t seed, std::int64_t number) {
  static const Scopes scopes = *scopes_of({{{"kind", "matmul"}}});
  return std::get<ProductCase>(case_number(seed, number, scopes));
}

/// check() aborts if a related case is illegal.
TEST(Relations, HoldBetweenRandomCasesAndEachAppliesToMany) {
  impl::ShardedBackend backend;
  std::array<std::int64_t, relations.size()> compared{};
  for (std::int64_t number = 0; number < cases; ++number) {
    const ProductCase subject = product_number(1, number);
    const Verdict verdict = check(subject, backend, {.relating = Relating::every});
    ASSERT_TRUE(verdict.findings.empty()) << print(subject, verdict);
    for (const Relation relation : verdict.relations) {
      ++compared[static_cast<std::size_t>(relation)];
    }
  }
  for (const RelationInfo& entry : relations) {
    if (!entry.is_of_products) continue;
    const std::int64_t count = compared[static_cast<std::size_t>(entry.relation)];
    // A schedule is drawn for one case of sixteen.
    const std::int64_t share = entry.relation == Relation::woven_apart ? 40 : 20;
    EXPECT_GT(count, cases / share) << entry.name;
    RecordProperty(std::string(entry.name), std::to_string(count));
  }
}

TEST(Relations, MakeCasesThatCanBeWrittenDown) {
  for (std::int64_t number = 0; number < cases / 10; ++number) {
    const ProductCase subject = product_number(2, number);
    const auto plan = model::resolve(subject);
    ASSERT_TRUE(plan.has_value()) << print(subject);
    for (const RelationInfo& entry : relations) {
      const auto related = relate(entry.relation, subject, *plan);
      if (!related) continue;
      const std::string line = print(related->subject);
      const auto parsed = parse_product(line);
      ASSERT_TRUE(parsed.has_value()) << entry.name << " of " << print(subject) << "\n"
                                      << line << "\n"
                                      << print(parsed.error());
      EXPECT_EQ(*parsed, related->subject) << line;
    }
  }
}

}  // namespace
}  // namespace shardcheck
