#include <shardcheck/model/case/text.h>

#include <gtest/gtest.h>

#include "keys.h"

namespace shardcheck {
namespace {

const std::string head = "matmul mesh=x2,y3 i=4 j=5 k=6 ";

ProductCase parsed(const std::string& line) {
  const auto subject = parse_product(line);
  EXPECT_TRUE(subject) << line << "\n" << (subject ? "" : print(subject.error()));
  return subject.value_or(ProductCase{});
}

TEST(CaseText, TheWorkedExampleIsReadInFull) {
  const ProductCase subject = parsed(
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] in=f32 data=given "
      "A=1,2,3,4 B=5,6,7,8");
  EXPECT_EQ(subject.mesh.axes, (std::vector<MeshAxis>{{"x", 2}}));
  EXPECT_EQ(subject.i, 2);
  EXPECT_EQ(subject.a.rows.over, std::vector<int>{});
  EXPECT_EQ(subject.a.columns.over, std::vector<int>{0});
  EXPECT_EQ(subject.b.rows.over, std::vector<int>{0});
  EXPECT_EQ(subject.c.rows.over, std::vector<int>{0});
  // 1, 2, 3, 4 in binary32.
  EXPECT_EQ(subject.data.given[0],
            (std::vector<Bits>{0x3f800000, 0x40000000, 0x40400000, 0x40800000}));
  EXPECT_EQ(print(subject),
            "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] data=given A=1,2,3,4 "
            "B=5,6,7,8");
}

TEST(CaseText, EveryDefaultIsFilledIn) {
  const ProductCase subject = parsed(head + "A[i,k] B[k,j] -> C[i,j]");
  EXPECT_EQ(subject.dtypes, (DtypeCombination{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32}));
  EXPECT_EQ(subject.algorithms[0], Algorithm::ring);
  EXPECT_EQ(subject.plan, std::nullopt);
  EXPECT_EQ(subject.order, Order::declared);
  EXPECT_EQ(subject.kernel, Kernel::fast);
  EXPECT_EQ(subject.fma, Fma::no);
  EXPECT_EQ(subject.data, Data{});
  EXPECT_EQ(subject.run, ProductCase{}.run);
  const ProductCase narrow = parsed(head + "A[i,k] B[k,j] -> C[i,j] in=i8");
  EXPECT_EQ(narrow.dtypes, (DtypeCombination{Dtype::i8, Dtype::i32, Dtype::i32, Dtype::i32}));
  const ProductCase half = parsed(head + "A[i,k] B[k,j] -> C[i,j] in=bf16 acc=f64");
  EXPECT_EQ(half.dtypes, (DtypeCombination{Dtype::bf16, Dtype::f64, Dtype::f64, Dtype::bf16}));
}

TEST(CaseText, DefaultsAreLeftOutWhenPrinted) {
  EXPECT_EQ(print(parsed("matmul i=1 k=2 j=3 data=ints:0 run=fibers:0 order=declared kernel=fast "
                         "fma=no plan=auto algorithm.all_reduce=ring in=f16 acc=f32 wire=f32 "
                         "out=f16 A[i,k]  B[k,j]\t->  C[i,j] ")),
            "matmul i=1 j=3 k=2 A[i,k] B[k,j] -> C[i,j] in=f16");
}

TEST(CaseText, CanonicalLinesStayAsTheyAre) {
  for (const char* rest : {
           "A[i,k/x] B[k/x,j] -> C[i/x,j]",
           "A[i/x/y,k] B[k,j] -> C[i/y/x,j] split.i=sizes:0,0,1,1,1,1",
           "A[i,k/y] B[k/x,j] -> C[i,j]+x+y split.k=ceil split.B.k=balanced",
           "A[i,k/y] B[k/x,j] -> C[i,j] split.B.k=sets:5,0|1,2,3,4",
           "A[i,k/y] B[k/y,j/x] -> C[i,j/y] split.j=cyclic:2 split.C.j=sets:|4,3,2,1,0| "
           "split.k=sizes:4,0,2",
           "A[i,k] B[k,j] -> C[i,j] in=bf16 acc=f64 wire=f32 out=f64",
           "A[i,k] B[k,j] -> C[i,j] algorithm.all_reduce=direct algorithm.reduce_scatter=direct "
           "algorithm.all_gather=direct",
           "A[i,k] B[k,j] -> C[i,j] plan=slice:A/x+gather:B/y+exchange:A+exchange:B[k/y,j/x]+"
           "exchange:B[k,j]+local+reduce_scatter:C/x+all_reduce:C/y+gather:C/x+exchange:C",
           "A[i,k] B[k,j] -> C[i,j] order=any kernel=ordered fma=any",
           "A[i,k] B[k,j] -> C[i,j] fma=yes data=probe:18446744073709551615",
           "A[i,k] B[k,j] -> C[i,j] data=rounding:3 run=fibers:7",
           "A[i,k] B[k,j] -> C[i,j] run=pct:3:7",
           "A[i,k] B[k,j] -> C[i,j] run=trace:",
           "A[i,k] B[k,j] -> C[i,j] run=trace:0,1,5",
           "A[i,k] B[k,j] -> C[i,j] run=threads",
       }) {
    const std::string line = head + rest;
    const ProductCase subject = parsed(line);
    EXPECT_EQ(print(subject), line);
    EXPECT_EQ(parsed(print(subject)), subject);
  }
}

TEST(CaseText, ASplitCutsEveryTensorThatDividesTheAxis) {
  const ProductCase subject = parsed(
      "matmul mesh=x2 i=3 j=2 k=6 split.k=sets:0,3,5|1,2,4 split.B.k=balanced A[i,k/x] B[k/x,j] "
      "-> C[i,j]");
  EXPECT_EQ(subject.a.columns.split.sets,
            (std::vector<std::vector<std::int64_t>>{{0, 3, 5}, {1, 2, 4}}));
  EXPECT_EQ(subject.b.rows.split, Split{});
  const ProductCase undivided =
      parsed("matmul mesh=x2 i=3 j=2 k=6 split.k=ceil A[i,k/x] B[k,j] -> C[i,j]");
  EXPECT_EQ(undivided.a.columns.split.rule, Split::Rule::ceil);
  EXPECT_EQ(undivided.b.rows.split, Split{});
}

TEST(CaseText, EmptyPartsOfSetsAreWritten) {
  const ProductCase subject =
      parsed("matmul mesh=x2 i=2 j=2 k=2 split.k=sets:|0,1 A[i,k/x] B[k,j] -> C[i,j]");
  EXPECT_EQ(subject.a.columns.split.sets, (std::vector<std::vector<std::int64_t>>{{}, {0, 1}}));
  const ProductCase one =
      parsed("matmul mesh=x1 i=2 j=2 k=0 split.k=sets: A[i,k/x] B[k,j] -> C[i,j]");
  EXPECT_EQ(one.a.columns.split.sets, (std::vector<std::vector<std::int64_t>>{{}}));
  EXPECT_EQ(parsed(print(one)), one);
}

TEST(CaseText, EmptyTensorsMayBeGiven) {
  const ProductCase subject =
      parsed("matmul i=2 j=0 k=2 A[i,k] B[k,j] -> C[i,j] data=given A=1,2,3,4 B=");
  EXPECT_TRUE(subject.data.given[1].empty());
  EXPECT_EQ(parsed(print(subject)), subject);
}

TEST(CaseText, AMeshAxisMayHaveALongName) {
  const ProductCase subject =
      parsed("matmul mesh=row12,c2d3 i=2 j=2 k=2 A[i/row,k] B[k,j] -> C[i,j/c2d]");
  EXPECT_EQ(subject.mesh.axes, (std::vector<MeshAxis>{{"row", 12}, {"c2d", 3}}));
}

TEST(PlanText, ShorthandsMeanCAndTheOnlyMeshAxis) {
  const Mesh mesh{{{"x", 4}}};
  EXPECT_EQ(print(mesh, *parse_plan(mesh, "local+reduce_scatter+all_gather")),
            "local+reduce_scatter:C/x+gather:C/x");
  EXPECT_EQ(print(mesh, *parse_plan(mesh, "gather:A+local+all_reduce:C")),
            "gather:A/x+local+all_reduce:C/x");
  EXPECT_EQ(print(mesh, *parse_plan(mesh, "local+gather/x")), "local+gather:C/x");
  EXPECT_EQ(print(mesh, {}), "");
}

TEST(PlanText, AnExchangeWithoutBracketsDiffersFromOneThatCutsNothing) {
  const Mesh mesh{{{"x", 2}, {"y", 2}}};
  const auto open = parse_plan(mesh, "exchange:B");
  const auto whole = parse_plan(mesh, "exchange:B[k,j]");
  const auto cut = parse_plan(mesh, "exchange:B[k/y/x,j]");
  ASSERT_TRUE(open && whole && cut);
  EXPECT_NE(*open, *whole);
  EXPECT_FALSE(open->front().has_brackets);
  EXPECT_TRUE(whole->front().has_brackets);
  EXPECT_EQ(cut->front().rows_over, (std::vector<int>{0, 1}));
  EXPECT_EQ(print(mesh, *cut), "exchange:B[k/x/y,j]");
}

TEST(PlanText, SchedulesNameATensorOrTheTwoAxesOfAGrid) {
  const Mesh mesh{{{"x", 2}, {"y", 2}}};
  for (const std::string_view text :
       {"gather_local:A/y", "gather_local:B/x+reduce_scatter:C/y", "local_scatter:C/x", "summa:x/y",
        "exchange:A+cannon:y/x+gather:C/x"}) {
    const auto plan = parse_plan(mesh, text);
    ASSERT_TRUE(plan.has_value()) << print(plan.error());
    EXPECT_EQ(print(mesh, *plan), text);
  }
  const auto cannon = parse_plan(mesh, "cannon:y/x");
  EXPECT_EQ(cannon->front().mesh_axis, 1);
  EXPECT_EQ(cannon->front().column_axis, 0);
  const auto error = [&](std::string_view text) { return print(parse_plan(mesh, text).error()); };
  EXPECT_EQ(error("gather_local:C/x"), "column 14: found 'C/x', expected A or B");
  EXPECT_EQ(error("gather_local/x"), "column 13: found '/x', expected : and a tensor");
  EXPECT_EQ(error("local_scatter:A/x"), "column 15: found 'A/x', expected C");
  EXPECT_EQ(error("summa"), "column 6: found nothing, expected : and two mesh axes, as :x/y");
  EXPECT_EQ(error("summa:x"), "column 8: found nothing, expected / and a mesh axis");
  EXPECT_EQ(error("cannon:x/z"), "column 10: found 'z', expected an axis of the mesh (x, y)");
  EXPECT_EQ(error("cannon:x/y/x"), "column 11: found '/x', expected + and a step, or the end");
}

TEST(PlanText, ErrorsCountColumnsFromTheStartOfThePlan) {
  const Mesh mesh{{{"x", 2}, {"y", 2}}};
  const auto column = [&](std::string_view text) { return parse_plan(mesh, text).error().column; };
  EXPECT_EQ(column(""), 1U);
  EXPECT_EQ(column("local+"), 7U);
  EXPECT_EQ(column("local+reduce"), 7U);
  EXPECT_EQ(column("local+gather"), 13U);  // which axis?
  EXPECT_EQ(column("all_reduce:A/x"), 12U);
  EXPECT_EQ(column("slice:D/x"), 7U);
  EXPECT_EQ(column("slice/x"), 6U);
  EXPECT_EQ(column("gather:A/z"), 10U);
  EXPECT_EQ(column("local:C"), 6U);
  EXPECT_EQ(column("exchange:B[k/x,j/x]"), 18U);
  EXPECT_EQ(column("exchange:B/x"), 11U);
  EXPECT_EQ(column("gather:A/x/y"), 11U);
}

TEST(CaseKeys, TheTableIsInTheOrderOfTheEnumerators) {
  for (std::size_t at = 0; at < keys.size(); ++at) {
    EXPECT_EQ(static_cast<std::size_t>(keys[at].key), at);
    EXPECT_EQ(key_named(keys[at].name), keys[at].key);
  }
}

TEST(CaseKeys, TheNearestKeyIsSuggested) {
  EXPECT_EQ(nearest_key("kk"), "k");
  EXPECT_EQ(nearest_key("algoritm.all_gather"), "algorithm.all_gather");
  EXPECT_EQ(nearest_key("split.b.k"), "split.B.k");
  EXPECT_EQ(nearest_key("kernal"), "kernel");
}

}  // namespace
}  // namespace shardcheck
