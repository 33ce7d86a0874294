#include <shardcheck/model/case/text.h>

#include <string>

#include <gtest/gtest.h>

#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/case.h>

namespace shardcheck {
namespace {

std::string error_of(std::string_view line) {
  const auto parsed = parse_calls(line);
  return parsed ? "none" : print(parsed.error());
}

TEST(CallsText, EveryKeyComesBack) {
  for (const std::string_view line :
       {"all_reduce n=4", "all_reduce mesh=x2,y3 over=y n=0 op=min in=u8",
        "reduce_scatter mesh=x3 n=7 split.n=sizes:3,0,4 in=bf16 algorithm=pairwise data=rounding:4",
        "reduce_scatter+all_gather mesh=x4 n=8 split.n=sets:0,7|1,2||3,4,5,6 algorithm=ring+bruck",
        "all_to_all mesh=x3 counts=1,0,2|0,0,3|4,1,1 in=i8 run=threads",
        "permute mesh=x4 n=2 to=1,-,3,2", "broadcast mesh=x5 n=3 root=4 in_place=yes",
        "reduce mesh=x3 n=2 op=average root=1 in=f16 acc=f16 algorithm=chain order=any",
        "gather mesh=x2 n=3 split.n=ceil data=given X=1,-0|0x1.8p-140 run=pct:3:7",
        "all_reduce mesh=x2 n=1 op=matrix in=u32 algorithm=doubling"}) {
    const auto parsed = parse_calls(line);
    ASSERT_TRUE(parsed.has_value()) << print(parsed.error());
    EXPECT_EQ(print(*parsed), line);
    EXPECT_EQ(*parse_calls(print(*parsed)), *parsed);
  }
}

TEST(CallsText, DefaultsAreLeftOut) {
  const auto parsed = parse_calls(
      "permute  to=1,0 mesh=x2 over=x n=2 in=bf16 acc=f32 algorithm=direct data=ints:0 "
      "order=declared run=fibers:0 in_place=no");
  ASSERT_TRUE(parsed.has_value()) << print(parsed.error());
  EXPECT_EQ(print(*parsed), "permute mesh=x2 n=2 in=bf16");
  EXPECT_EQ(parsed->dtypes, (DtypeCombination{Dtype::bf16, Dtype::f32, Dtype::bf16, Dtype::bf16}));
}

TEST(CallsText, TheFirstWordTellsTheKindOfCase) {
  EXPECT_TRUE(std::holds_alternative<CallsCase>(*parse(" all_reduce n=1")));
  EXPECT_TRUE(
      std::holds_alternative<ProductCase>(*parse("matmul i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]")));
  EXPECT_EQ(parse("matmull i=1").error().column, 1U);
}

TEST(CallsText, ErrorsPointAtThePlace) {
  EXPECT_EQ(error_of("all_reduc n=4").substr(0, 41), "column 1: found 'all_reduc', expected mat");
  EXPECT_EQ(error_of(""),
            "column 1: found nothing, expected matmul, or a collective: all_reduce, "
            "reduce_scatter, all_gather, reduce, broadcast, gather, scatter, "
            "all_to_all, permute");
  EXPECT_EQ(error_of("all_reduce mesh=x2"),
            "column 19: found nothing, expected n= with the elements of a whole vector");
  EXPECT_EQ(error_of("all_reduce mesh=x2 m=3"), "column 20: found 'm=3', expected a key, as n=");
  EXPECT_EQ(error_of("all_reduce n=3 n=3"), "column 16: found 'n=3', expected n= once");
  EXPECT_EQ(error_of("reduce_scatter+scatter mesh=x2 n=4"),
            "column 16: found 'scatter', expected all_gather or gather, which start from blocks");
  EXPECT_EQ(error_of("permute+all_reduce n=4"),
            "column 9: found 'all_reduce', expected nothing behind all_to_all or permute");
  EXPECT_EQ(error_of("all_reduce n=4 split.n=ceil"),
            "column 24: found 'ceil', expected no split: none of the collectives divides n");
  EXPECT_EQ(error_of("all_gather mesh=x2 n=4 split.n=sizes:4"),
            "column 32: found 'sizes:4', expected 2 parts, one a member");
  EXPECT_EQ(error_of("all_to_all mesh=x2 counts=1,2|3"),
            "column 31: found '3', expected 2 counts, one a member");
  EXPECT_EQ(error_of("all_to_all mesh=x2 counts=1,2,3|3,4"),
            "column 31: found '3', expected 2 counts, one a member");
  EXPECT_EQ(error_of("all_to_all mesh=x2 counts=1,2"),
            "column 27: found '1,2', expected 2 rows, one a member");
  EXPECT_EQ(error_of("permute mesh=x2 n=1 to=1,1"),
            "column 26: found '1', expected a member that nobody else sends to");
  EXPECT_EQ(error_of("all_reduce n=1 op=xor"),
            "column 19: found 'xor', expected an operator for floats: sum, product, min, max or "
            "average");
  EXPECT_EQ(error_of("all_reduce n=1 op=matrix in=i32"),
            "column 19: found 'matrix', expected matrix with in=u32 alone");
  EXPECT_EQ(error_of("broadcast n=1 op=sum"),
            "column 18: found 'sum', expected no operator: nothing reduces");
  EXPECT_EQ(error_of("broadcast mesh=x2 n=1 root=2"),
            "column 28: found '2', expected a number from 0 to 1");
  EXPECT_EQ(error_of("broadcast n=1 algorithm=ring"),
            "column 25: found 'ring', expected an algorithm of broadcast: binomial, direct, chain, "
            "scatter_all_gather");
  EXPECT_EQ(error_of("broadcast n=1 algorithm=chain+chain"),
            "column 31: found 'chain', expected 1, one a call");
  EXPECT_EQ(error_of("broadcast+broadcast n=1 algorithm=chain"),
            "column 35: found 'chain', expected 2, one a call");
  EXPECT_EQ(
      error_of("all_reduce n=1 acc=f33"),
      "column 20: found 'f33', expected i8, u8, i16, u16, i32, u32, i64, u64, f8e4m3fn, f8e5m2, "
      "f16, bf16, f32 or f64");
  EXPECT_EQ(error_of("all_reduce n=1 in=f32 acc=f16"),
            "column 27: found 'f16', expected f16, bf16, f32 or f64 that holds every f32");
  EXPECT_EQ(error_of("all_reduce n=1 in=i8 acc=i32"),
            "column 26: found 'i32', expected i8, as in=");
  EXPECT_EQ(error_of("all_gather mesh=x2 n=3 data=given X=1,2|3,4"),
            "column 43: found '4', expected 1 values of rank 1");
  EXPECT_EQ(error_of("all_to_all mesh=x1024 n=67108864").substr(0, 30),
            "column 25: found '67108864', e");
}

TEST(CallsText, WhatDoesNotGoTogetherIsNamed) {
  EXPECT_EQ(error_of("all_reduce+all_reduce+all_reduce+all_reduce+all_reduce mesh=x2 n=1"),
            "column 45: found 'all_reduce', expected at most 4 collectives");
  EXPECT_EQ(error_of("all_reduce mesh=x2 over=x/x n=1"),
            "column 27: found 'x', expected each mesh axis once");
  EXPECT_EQ(error_of("all_reduce mesh=x2,y2 over=x,y n=1"),
            "column 28: found 'x,y', expected mesh axes joined by '/', as in over=x/y");
  EXPECT_EQ(error_of("all_to_all mesh=x2 n=4 counts=1,0|0,1"),
            "column 22: found '4', expected counts= or n=, not both");
  EXPECT_EQ(error_of("all_gather mesh=x2 counts=1,0|0,1"),
            "column 27: found '1,0|0,1', expected n=: counts= is for all_to_all alone");
  EXPECT_EQ(error_of("all_to_all mesh=x2 counts=1,0|0,1|1,1"),
            "column 35: found '1,1', expected 2 rows, one a member");
  EXPECT_EQ(error_of("permute mesh=x2 n=1 to=1,0,1"),
            "column 28: found '1', expected 2 destinations, one a member");
  EXPECT_EQ(error_of("permute mesh=x2 n=1 to=1"),
            "column 24: found '1', expected 2 destinations, one a member");
  EXPECT_EQ(error_of("all_reduce mesh=x2 n=1 root=1"),
            "column 29: found '1', expected no root: none of the collectives has one");
  EXPECT_EQ(error_of("all_reduce mesh=x2 n=1 in_place=maybe"),
            "column 33: found 'maybe', expected yes or no");
  EXPECT_EQ(error_of("gather mesh=x2 n=1 in_place=yes"),
            "column 29: found 'yes', expected no: one all_reduce, reduce_scatter, all_gather or "
            "broadcast may be in place");
  EXPECT_EQ(error_of("all_reduce mesh=x2 n=1 order=none"),
            "column 30: found 'none', expected declared or any");
  EXPECT_EQ(error_of("broadcast mesh=x2 n=1 order=any"),
            "column 29: found 'any', expected declared: any is for one collective that reduces");
  EXPECT_EQ(error_of("all_reduce mesh=x2 n=1 X=1|2"),
            "column 26: found '1|2', expected data=given, or no values");
  EXPECT_EQ(error_of("all_reduce mesh=x2 n=1 data=given X=1"),
            "column 37: found '1', expected the inputs of 2 ranks");
}

TEST(CallsText, AnInputIsWhatTheFirstCallStartsFrom) {
  const auto elements = [](std::string_view line, std::int64_t rank) {
    return input_elements(*parse_calls(line), rank);
  };
  EXPECT_EQ(elements("all_reduce mesh=x2 n=5", 1), 5);
  EXPECT_EQ(elements("scatter mesh=x2 n=5 root=1", 0), 0);
  EXPECT_EQ(elements("scatter mesh=x2 n=5 root=1", 1), 5);
  EXPECT_EQ(elements("all_gather mesh=x2 n=5", 0), 3);
  EXPECT_EQ(elements("all_gather mesh=x4 n=5 split.n=ceil", 2), 1);
  EXPECT_EQ(elements("all_gather mesh=x4 n=5 split.n=ceil", 3), 0);
  EXPECT_EQ(elements("gather mesh=x3 n=11 split.n=cyclic:2", 0), 4);
  EXPECT_EQ(elements("gather mesh=x3 n=11 split.n=cyclic:2", 2), 3);
  EXPECT_EQ(elements("all_to_all mesh=x2 counts=1,2|0,4", 1), 4);
  // Members are numbered along y alone.
  EXPECT_EQ(elements("all_gather mesh=x2,y3 over=y n=6 split.n=sizes:1,2,3", 5), 3);
  EXPECT_EQ(elements("all_gather mesh=x2,y3 over=x n=6 split.n=sizes:1,5", 5), 5);
}

}  // namespace
}  // namespace shardcheck
