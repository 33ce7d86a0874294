#include "small_cases.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/rules.h>

namespace shardcheck {
namespace {

std::multiset<std::string> lines_of(const SmallSpace& space) {
  std::multiset<std::string> lines;
  SmallCases cases(space);
  while (const auto subject = cases.next()) lines.insert(print(*subject));
  return lines;
}

TEST(WalkingEntropy, TakesEveryPathOnce) {
  // A choice of three; after the first of them one of two: 2 + 1 + 1 paths.
  WalkingEntropy entropy;
  std::multiset<std::string> paths;
  do {
    std::string path = std::to_string(entropy.below(3));
    if (path == "0") path += std::to_string(entropy.below(2));
    paths.insert(path);
  } while (entropy.advance());
  EXPECT_EQ(paths, (std::multiset<std::string>{"00", "01", "1", "2"}));
}

TEST(SmallCases, OfOneRankAndNoSizeAreTheLayouts) {
  // x cuts the rows, the columns or neither of A, of B and of C: 27. Where it cuts k of A or of B,
  // in 5 of 9, C may be left partial over it too.
  const std::multiset<std::string> lines = lines_of({.ranks = 1, .size = 0, .steps = 0});
  for (const std::string& line : lines) EXPECT_EQ(lines.count(line), 1U) << line;
  EXPECT_EQ(lines.count("matmul mesh=x1 i=0 j=0 k=0 A[i,k] B[k,j] -> C[i,j]"), 1U);
  EXPECT_EQ(lines.size(), 27U + 5U);
  EXPECT_EQ(count_of({.ranks = 1, .size = 0, .steps = 0}), 27 + 5);
}

TEST(SmallCases, AreLegalAndNoTwoAreOneLine) {
  const SmallSpace space{.ranks = 2,
                         .size = 1,
                         .rules = {Split::Rule::balanced, Split::Rule::cyclic, Split::Rule::sizes}};
  const std::multiset<std::string> lines = lines_of(space);
  for (const std::string& line : lines) {
    EXPECT_EQ(lines.count(line), 1U) << line;
    const auto subject = parse_product(line);
    ASSERT_TRUE(subject) << line << print(subject.error());
    EXPECT_TRUE(model::resolve(*subject)) << line;
  }
  // One of each sort, by hand.
  for (const std::string line :
       {"matmul mesh=x2 i=1 j=1 k=1 A[i,k/x] B[k/x,j] -> C[i/x,j]",
        "matmul mesh=x2 i=1 j=1 k=1 A[i,k/x] B[k/x,j] -> C[i,j] "
        "algorithm.all_reduce=direct plan=local+all_reduce:C/x",
        "matmul mesh=x2 i=1 j=1 k=1 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local_scatter:C/x",
        "matmul mesh=x2 i=1 j=1 k=1 A[i,k/x] B[k,j/x] -> C[i,j] plan=gather_local:A/x+gather:C/x",
        "matmul mesh=x2 i=1 j=0 k=1 A[i/x,k] B[k,j] -> C[i/x,j] split.i=sizes:0,1"}) {
    EXPECT_EQ(lines.count(print(*parse_product(line))), 1U) << line;
  }
}

TEST(SmallCases, OfAGridTakeItsSchedules) {
  const std::multiset<std::string> lines = lines_of({.ranks = 4, .axes = 2, .size = 0, .steps = 1});
  const std::string grid =
      "matmul mesh=x2,y2 i=0 j=0 k=0 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=";
  EXPECT_EQ(lines.count(grid + "summa:x/y"), 1U);
  EXPECT_EQ(lines.count(grid + "cannon:x/y"), 1U);
  EXPECT_EQ(lines.count(grid + "cannon:y/x"), 0U);
}

TEST(SmallCases, CarryTheWordsOfTheirSpace) {
  for (const std::string& line :
       lines_of({.ranks = 1, .size = 1, .steps = 0, .words = "in=bf16 data=rounding:3"})) {
    EXPECT_NE(line.find(" in=bf16 "), std::string::npos) << line;
    EXPECT_NE(line.find("data=rounding:3"), std::string::npos) << line;
  }
}

TEST(SmallCases, NameTheWordThatIsWrongAndNoColumn) {
  const auto problem = [](const std::string& words) { return validate({.words = words}).error(); };
  EXPECT_EQ(problem("in=int8").substr(0, 40), "'in=int8': found 'int8', expected i8, u8");
  EXPECT_EQ(problem("acc=f32 in=int8 out=f32").substr(0, 30), "'in=int8': found 'int8', expec");
  EXPECT_EQ(problem("in=f32 k").find("'k': found 'k'"), 0U) << problem("in=f32 k");
  EXPECT_EQ(problem("mesh=x2").find("'mesh=x2': found 'mesh=x2'"), 0U) << problem("mesh=x2");
}

TEST(SmallCases, OfABadSpaceAreRefused) {
  EXPECT_FALSE(validate({.ranks = 0}));
  EXPECT_FALSE(validate({.axes = 4}));
  EXPECT_FALSE(validate({.size = -1}));
  EXPECT_FALSE(validate({.rules = {}}));
  EXPECT_FALSE(validate({.rules = {Split::Rule::sets}}));
  for (const std::string words : {"in=f33", "mesh=x2", "plan=local", "split.k=ceil",
                                  "algorithm.all_reduce=direct", "data=given"}) {
    EXPECT_FALSE(validate({.words = words})) << words;
  }
  EXPECT_TRUE(validate({.words = "in=i8 run=threads"}));
}

}  // namespace
}  // namespace shardcheck
