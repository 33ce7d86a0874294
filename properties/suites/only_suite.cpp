// `--only` narrows what is drawn; what is drawn stays legal. Every key with values that exist,
// alone and with each kind of case: cases that read back as they were, can be meant, and are
// judged.

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/case_number.h>
#include <shardcheck/properties/generate/scope.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {
namespace {

using Only = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const Only& only) {
  std::string text;
  for (const auto& [key, value] : only) text += " --only " + key + "=" + value;
  return text;
}

/// Every key with its values; of numbers, meshes and plans a few.
const Only& entries() {
  static const Only all = [] {
    Only made;
    const auto add = [&made](const std::string& key, const std::vector<std::string>& values) {
      for (const std::string& value : values) made.emplace_back(key, value);
    };
    for (const std::string key : {"in", "acc", "wire", "out"}) {
      for (const DtypeInfo& entry : dtypes) made.emplace_back(key, entry.name);
    }
    for (std::size_t c = 0; c < collective_names.size(); ++c) {
      const std::string collective(collective_names[c]);
      made.emplace_back("collective", collective);
      if (c >= plan_collective_count) continue;
      for (const Algorithm algorithm : algorithms_of(static_cast<Collective>(c))) {
        made.emplace_back("algorithm." + collective, name(algorithm));
      }
    }
    for (const AlgorithmInfo& entry : algorithms) made.emplace_back("algorithm", entry.name);
    for (const OperatorInfo& entry : operators) made.emplace_back("op", entry.name);
    for (const std::string key : {"split.i", "split.j", "split.k", "split.n"}) {
      add(key, {"balanced", "ceil", "sizes", "cyclic", "sets"});
    }
    for (const std::string key : {"i", "j", "k", "n"}) add(key, {"0", "1", "7", "70"});
    add("mesh", {"x1", "x4", "x2,y3", "a2,b1,c2,d2", "x2,y2,z2,w2,v2"});
    add("ranks", {"1", "2", "7", "24"});
    add("plan", {"auto", "local+all_reduce:C/x", "summa:x/y", "gather:A/x+gather:B/x+local"});
    add("order", {"declared", "any"});
    add("kernel", {"ordered", "fast"});
    add("fma", {"no", "yes", "any"});
    add("in_place", {"no", "yes"});
    add("data", {"ints", "rounding", "probe", "wide", "cancel", "special"});
    add("run", {"fibers", "pct", "threads"});
    return made;
  }();
  return all;
}

/// Read back by the grammar of its kind, whatever equal means there.
template <typename Subject>
void expect_legal(const Subject& subject, const Only& only, const Verdict& verdict) {
  const auto again = parse(print(subject));
  ASSERT_TRUE(again.has_value()) << text_of(only) << "\n"
                                 << print(subject) << "\n"
                                 << print(again.error());
  EXPECT_TRUE(*again == Case(subject)) << text_of(only) << "\n" << print(subject);
  EXPECT_TRUE(verdict.status == Status::pass || verdict.status == Status::vacuous)
      << text_of(only) << "\n"
      << print(subject, verdict);
}

/// How many cases there were: none where the restrictions are refused.
std::int64_t walk(const Only& only) {
  constexpr std::int64_t cases = 40;
  const auto scopes = scopes_of({only});
  if (!scopes) return 0;
  impl::ShardedBackend products;
  impl::ShardedBackend collectives;
  for (std::int64_t number = 0; number < cases; ++number) {
    const Case drawn = case_number(3, number, *scopes);
    if (const auto* product = std::get_if<ProductCase>(&drawn)) {
      expect_legal(*product, only, check(*product, products));
      EXPECT_TRUE(allows(*scopes->products, *product)) << text_of(only);
      continue;
    }
    const auto& collective = std::get<CallsCase>(drawn);
    // A judge that is asked what the grammar refuses may abort.
    if (!parse(print(collective))) {
      ADD_FAILURE() << text_of(only) << "\n" << print(collective);
      return cases;
    }
    expect_legal(collective, only, check(collective, collectives));
    EXPECT_TRUE(allows(*scopes->calls, collective)) << text_of(only);
  }
  return cases;
}

TEST(Only, EveryKeyAndValueLeavesLegalCasesAlone) {
  std::string refused;
  for (const auto& entry : entries()) {
    if (walk({entry}) == 0) refused += text_of({entry});
  }
  // No sum is formed in 8-bit floats, and none is sent or returned in integers below 32 bits.
  EXPECT_EQ(refused,
            " --only acc=f8e4m3fn --only acc=f8e5m2"
            " --only wire=i8 --only wire=u8 --only wire=i16 --only wire=u16"
            " --only out=i8 --only out=u8 --only out=i16 --only out=u16");
}

TEST(Only, EveryKeyOfAKindLeavesLegalCasesAlone) {
  for (const std::string kind : {"matmul", "collective"}) {
    std::int64_t met = 0;
    for (const auto& entry : entries()) met += walk({{"kind", kind}, entry}) > 0 ? 1 : 0;
    EXPECT_GT(met, 60) << kind;
  }
}

TEST(Only, PairsThatDependOnEachOtherLeaveLegalCasesAlone) {
  std::int64_t met = 0;
  for (const auto& one : entries()) {
    for (const auto& other : entries()) {
      const bool is_pair = (one.first == "in" && other.first == "acc") ||
                           (one.first == "op" && other.first == "in") ||
                           (one.first == "order" && other.first == "collective");
      if (is_pair) met += walk({one, other}) > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(met, 130);
}

TEST(Only, WhatNoCaseMeetsIsRefused) {
  const std::string none = "no legal case found that meets all restrictions together";
  const std::vector<Only> unmet{
      {{"in", "f64"}, {"acc", "f32"}},
      {{"kind", "collective"}, {"in", "i8"}, {"acc", "i32"}},
      {{"kind", "collective"}, {"in", "f32"}, {"acc", "i32"}},
      {{"op", "and"}, {"in", "f32"}},
      {{"op", "matrix"}, {"in", "i32"}},
      {{"order", "any"}, {"collective", "all_gather"}},
      {{"mesh", "a2,b2,c2,d2,e2"}, {"plan", "auto"}},
  };
  for (const Only& only : unmet) {
    const auto scopes = scopes_of({only});
    ASSERT_FALSE(scopes.has_value()) << text_of(only);
    EXPECT_EQ(scopes.error(), none) << text_of(only);
  }
}

}  // namespace
}  // namespace shardcheck
