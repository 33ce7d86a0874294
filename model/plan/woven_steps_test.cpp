#include "woven_steps.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include <shardcheck/model/case/text.h>

#include "ledger.h"
#include "steps.h"
#include "temporaries.h"

namespace shardcheck::model {
namespace {

using Lists = std::vector<IndexList>;
using Bytes = std::vector<std::int64_t>;

ProductCase a_case(const std::string& line) {
  const auto subject = parse_product(line);
  if (!subject) ADD_FAILURE() << line << ": " << print(subject.error());
  return subject.value_or(ProductCase{});
}

ResolvedPlan plan_of(const ProductCase& subject) {
  const auto plan = resolve(subject);
  if (!plan) ADD_FAILURE() << print(subject) << ": " << plan.error();
  return plan.value_or(ResolvedPlan{});
}

std::string why_not(const std::string& line) {
  const auto plan = resolve(a_case(line));
  return plan ? "it is legal" : plan.error();
}

/// By rank, the k's of its local sums in the order of addition.
Lists orders(const std::string& line) {
  Lists lists;
  const ProductCase subject = a_case(line);
  const ResolvedPlan plan = plan_of(subject);
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    lists.push_back(ks_added(plan, rank));
  }
  return lists;
}

/// Every kind of schedule, over even and uneven parts, some empty, with replicas, mesh axes of size
/// 1 and others at work.
const std::vector<std::string> legal{
    "mesh=x3 i=4 j=5 k=7 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=gather_local:A/x",
    "mesh=x3 i=4 j=5 k=7 A[i/x,k] B[k/x,j] -> C[i/x,j] split.k=sizes:3,0,4 plan=gather_local:B/x",
    "mesh=x3 i=4 j=5 k=7 A[i/x,k] B[k,j] -> C[i,j] plan=gather_local:A/x",
    "mesh=x3 i=4 j=5 k=7 A[i,k] B[k,j/x] -> C[i,j] split.j=cyclic:1 plan=gather_local:B/x",
    "mesh=x2,y3 i=4 j=5 k=7 A[i,k/y/x] B[k/y,j/x] -> C[i/y,j/x] split.k=cyclic:2 "
    "plan=gather_local:A/x+reduce_scatter:C/y",
    "mesh=x1,y2 i=4 j=5 k=7 A[i,k/x/y] B[k/y,j/x] -> C[i,j] "
    "plan=gather_local:A/x+all_reduce:C/y+gather:C/x",
    "mesh=x5 i=7 j=2 k=6 A[i,k/x] B[k/x,j] -> C[i/x,j] split.i=sizes:0,3,1,0,3 "
    "algorithm.reduce_scatter=halving plan=local_scatter:C/x",
    "mesh=x5,y2 i=7 j=2 k=6 A[i,k/x/y] B[k/x/y,j] -> C[i/x,j/y] wire=bf16 "
    "plan=local_scatter:C/y+reduce_scatter:C/x",
    "mesh=x2,y3 i=5 j=4 k=11 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=summa:x/y",
    "mesh=z2,x2,y3 i=5 j=4 k=3 A[i/z,k/y] B[k/x,j] -> C[i/z,j] split.A.k=sets:2||0,1 "
    "split.B.k=sizes:0,3 plan=summa:x/y",
    "mesh=y2,x1 i=5 j=4 k=3 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=summa:x/y",
    "mesh=x3,y3 i=5 j=7 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] split.k=sets:2,0||1,3 "
    "plan=cannon:x/y",
    "mesh=x2,z2,y2 i=5 j=7 k=4 A[i/x/z,k/y] B[k/x,j/y] -> C[i/x,j/y] in=bf16 "
    "plan=cannon:x/y+gather:C/z",
    "mesh=x1,y1 i=5 j=7 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y+exchange:C",
    "mesh=x2,y2 i=0 j=7 k=0 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=cannon:x/y",
};

TEST(Schedules, AreAsIfTheStepsThatTheyStandForWereTaken) {
  for (const std::string& line : legal) {
    ProductCase subject = a_case("matmul " + line);
    const ResolvedPlan plan = plan_of(subject);
    Plan parts;
    for (const Step& step : plan.steps) {
      for (const Step& part : stands_for(step)) {
        EXPECT_FALSE(is_woven(part.kind));
        parts.push_back(part);
      }
    }
    EXPECT_GT(parts.size(), plan.steps.size());
    subject.plan = parts;
    const ResolvedPlan spelled_out = plan_of(subject);
    ASSERT_FALSE(plan.states.empty() || spelled_out.states.empty());
    EXPECT_EQ(plan.states.back(), spelled_out.states.back()) << line;
    EXPECT_EQ(born(plan), born(spelled_out)) << line;
    EXPECT_EQ(multiplied(plan).a, multiplied(spelled_out).a) << line;
    EXPECT_EQ(multiplied(plan).b, multiplied(spelled_out).b) << line;
    // Temporaries count the same shards; what is sent may differ.
    const auto sent = ledger(subject, spelled_out);
    EXPECT_EQ(temporary_bytes_max(subject, plan, sent),
              temporary_bytes_max(subject, spelled_out, sent))
        << line;
  }
}

TEST(Schedules, BytesInClosedFormAreThoseOfTheTransfers) {
  for (const std::string& line : legal) {
    const ProductCase subject = a_case("matmul " + line);
    const ResolvedPlan plan = plan_of(subject);
    std::int64_t bytes = 0;
    for (const Transfer& transfer : ledger(subject, plan)) bytes += transfer.bytes;
    PlanSpace space(subject);
    Ownership state = space.start;
    std::int64_t closed = 0;
    for (const Step& step : plan.steps) {
      const auto next = take(space, state, step);
      ASSERT_TRUE(next) << line;
      closed += bytes_of(space, state, *next, step);
      state = *next;
    }
    EXPECT_EQ(closed, bytes) << line;
  }
}

TEST(Schedules, ARingBringsKInTheOrderOfArrival) {
  EXPECT_EQ(orders("matmul mesh=x3 i=1 j=3 k=6 A[i,k/x] B[k,j/x] -> C[i,j/x] "
                   "split.k=sets:5,0|3|1,4,2 plan=gather_local:A/x"),
            (Lists{{5, 0, 1, 4, 2, 3}, {3, 5, 0, 1, 4, 2}, {1, 4, 2, 3, 5, 0}}));
  // A's k list is whole; B's parts say the order.
  EXPECT_EQ(orders("matmul mesh=x2 i=2 j=1 k=4 A[i/x,k] B[k/x,j] -> C[i/x,j] split.k=cyclic:1 "
                   "plan=gather_local:B/x"),
            (Lists{{0, 2, 1, 3}, {1, 3, 0, 2}}));
  // What arrives are rows: k stays as it is.
  EXPECT_EQ(orders("matmul mesh=x2 i=2 j=1 k=3 A[i/x,k] B[k,j] -> C[i,j] plan=gather_local:A/x"),
            (Lists{{0, 1, 2}, {0, 1, 2}}));
}

TEST(Schedules, PanelsAreThoseOfAAndInEachThoseOfB) {
  // A: 5 0 4 | 3 1 2; B: 0 1 | 2 3 | 4 5 along x. Panels: 0, –, 5 4; 1, 3 2, –.
  const Lists lists = orders(
      "matmul mesh=x3,y2 i=3 j=2 k=6 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] "
      "split.A.k=sets:5,0,4|3,1,2 plan=summa:x/y");
  EXPECT_EQ(lists, Lists(6, IndexList{0, 5, 4, 1, 3, 2}));
}

TEST(Schedules, ASquareStartsWithThePartThatTheDiagonalSays) {
  EXPECT_EQ(orders("matmul mesh=x2,y2 i=2 j=2 k=3 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] "
                   "split.k=sets:2,0|1 plan=cannon:x/y"),
            (Lists{{2, 0, 1}, {1, 2, 0}, {1, 2, 0}, {2, 0, 1}}));
}

// Blocks of A: 2 rows × 2 k, of B: 2 k × 1 column, 4 bytes an element: 16 and 8.
TEST(Schedules, BytesOfASquareByHand) {
  const ProductCase subject = a_case(
      "matmul mesh=x2,y2 i=4 j=2 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] in=f32 plan=cannon:x/y");
  // Rank 0 has both blocks right and sends each once: A to 1, B to 2. Rank 1 (0, 1) brings its B to
  // 3 first, rank 2 its A to 3, rank 3 both.
  const std::vector<Transfer> sent = ledger(subject, plan_of(subject));
  const std::vector<Transfer> by_hand{{0, 0, 1, 16, 0}, {0, 0, 2, 8, 0}, {0, 1, 0, 16, 0},
                                      {0, 1, 3, 16, 0}, {0, 2, 0, 8, 0}, {0, 2, 3, 32, 0},
                                      {0, 3, 1, 16, 0}, {0, 3, 2, 32, 0}};
  EXPECT_EQ(sent, by_hand);
}

// Every rank: A, 2·2 elements of 4 bytes, to one other along y; B, 2·2, to one other along x.
TEST(Schedules, BytesOfPanelsByHand) {
  const ProductCase subject = a_case(
      "matmul mesh=x2,y2 i=4 j=4 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] in=f32 plan=summa:x/y");
  const std::vector<Transfer> by_hand{{0, 0, 1, 16, 0}, {0, 0, 2, 16, 0}, {0, 1, 0, 16, 0},
                                      {0, 1, 3, 16, 0}, {0, 2, 0, 16, 0}, {0, 2, 3, 16, 0},
                                      {0, 3, 1, 16, 0}, {0, 3, 2, 16, 0}};
  EXPECT_EQ(ledger(subject, plan_of(subject)), by_hand);
}

// Blocks of 0, 2 and 1 rows, of 2 bytes in wire; halving, which the case names, is not taken.
TEST(Schedules, AScheduledReduceScatterIsARing) {
  const ProductCase subject = a_case(
      "matmul mesh=x3 i=3 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j] split.i=sizes:0,2,1 wire=bf16 "
      "algorithm.reduce_scatter=halving plan=local_scatter:C/x");
  EXPECT_EQ(bytes_sent(subject, ledger(subject, plan_of(subject))), (Bytes{6, 2, 4}));
}

TEST(Schedules, AutoTakesNone) {
  // local_scatter would cost the same in fewer steps.
  const ProductCase subject =
      a_case("matmul mesh=x2 i=4 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=auto");
  EXPECT_EQ(print(subject.mesh, plan_of(subject).steps), "local+reduce_scatter:C/x");
}

TEST(Schedules, ARefusalNamesTheStepThatMayNotBeTaken) {
  const std::string k_cut = "matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=";
  EXPECT_EQ(why_not(k_cut + "local+local_scatter:C/x"),
            "local_scatter:C/x: local: local may be taken once");
  EXPECT_EQ(why_not(k_cut + "local_scatter:C/x+local"), "local: local may be taken once");
  EXPECT_EQ(why_not(k_cut + "local_scatter:C/x+gather_local:A/x"),
            "gather_local:A/x: gather:A/x: A may move only before local");
  EXPECT_EQ(why_not(k_cut + "reduce_scatter:C/x+local_scatter:C/x"),
            "reduce_scatter:C/x: there is no C before local");
  const std::string k_whole = "matmul mesh=x2 i=2 j=2 k=4 A[i,k] B[k,j] -> C[i,j] plan=";
  EXPECT_EQ(why_not(k_whole + "local_scatter:C/x"),
            "local_scatter:C/x: reduce_scatter:C/x: C is not partial over x");
  EXPECT_EQ(why_not(k_whole + "gather_local:A/x"),
            "gather_local:A/x: gather:A/x: A is not cut over x");
  EXPECT_EQ(why_not("matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j]+x "
                    "split.B.k=cyclic:1 plan=local_scatter:C/x"),
            "local_scatter:C/x: local: a rank holds other k of A than of B");
}

TEST(Schedules, ARingNeedsAnOuterAxisThatTellsItsOrdersApart) {
  EXPECT_EQ(why_not("matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k,j] -> C[i,j] plan=gather_local:A/x"),
            "gather_local:A/x: x cuts k of A, and must then cut the columns of B");
  EXPECT_EQ(why_not("matmul mesh=x2 i=2 j=2 k=4 A[i,k] B[k/x,j] -> C[i,j] plan=gather_local:B/x"),
            "gather_local:B/x: x cuts k of B, and must then cut the rows of A");
  EXPECT_EQ(why_not("matmul mesh=x2,y2 i=2 j=2 k=4 A[i,k/x] B[k/y,j/x] -> C[i,j/x] "
                    "plan=gather_local:A/x"),
            "gather_local:A/x: local: k of A and k of B are cut over different mesh axes");
  EXPECT_EQ(why_not("matmul mesh=x2 i=2 j=2 k=4 A[i/x,k] B[k,j/x] -> C[i,j/x] "
                    "plan=gather_local:A/x"),
            "it is legal");
}

TEST(Schedules, AGridHasTwoMeshAxesThatCutK) {
  for (const std::string kind : {"summa", "cannon"}) {
    const std::string mesh = "matmul mesh=x2,y2,z2 i=4 j=4 k=8 ";
    const auto refused = [&](const std::string& operands, const std::string& grid) {
      const std::string step = kind + ":" + grid;
      const std::string told = why_not(mesh + operands + " plan=" + step);
      return told.substr(0, step.size() + 2) == step + ": " ? told.substr(step.size() + 2) : told;
    };
    const std::string consumer = " -> C[i/x,j/y]";
    EXPECT_EQ(refused("A[i/x,k/y] B[k/x,j/y]" + consumer, "x/y"), "it is legal");
    EXPECT_EQ(refused("A[i,k/x] B[k/x,j] -> C[i,j]", "x/x"), "a grid has two different mesh axes");
    for (const char* operands :
         {"A[i/x,k] B[k/x,j/y]", "A[i/x,k/y] B[k,j/y]", "A[i/x,k/y/z] B[k/x,j/y]",
          "A[i/x,k/y] B[k/z/x,j/y]", "A[i/y,k/x] B[k/y,j/x]", "A[i/y,k/z] B[k/x,j]"}) {
      EXPECT_EQ(refused(operands + consumer, "x/y"),
                "k must be cut over y alone in A and over x alone in B")
          << operands;
    }
    EXPECT_EQ(refused("A[i/x/z,k/y] B[k/x,j/y/z] -> C[i/x/z,j/y]", "x/y"),
              "local: one mesh axis cuts the rows of A and the columns of B");
  }
}

TEST(Schedules, ASquareNeedsMoreThanPanels) {
  const auto both = [](const std::string& line) {
    EXPECT_EQ(why_not("matmul " + line + " plan=summa:x/y"), "it is legal");
    return why_not("matmul " + line + " plan=cannon:x/y");
  };
  const std::string outer = "cannon:x/y: x must cut the rows of A, and y the columns of B";
  EXPECT_EQ(both("mesh=x2,y2 i=4 j=4 k=8 A[i,k/y] B[k/x,j/y] -> C[i,j/y]"), outer);
  EXPECT_EQ(both("mesh=x2,y2 i=4 j=4 k=8 A[i/x,k/y] B[k/x,j] -> C[i/x,j]"), outer);
  EXPECT_EQ(both("mesh=x2,y3 i=4 j=4 k=8 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]"),
            "cannon:x/y: x and y must have the same size");
  const std::string parts =
      "cannon:x/y: part q of A's k over y must be part q of B's k over x, in the same order";
  const std::string square = "mesh=x2,y2 i=4 j=4 k=4 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] ";
  EXPECT_EQ(both(square + "split.B.k=sets:2,3|0,1"), parts);
  EXPECT_EQ(both(square + "split.B.k=sets:0,1|3,2"), parts);
  EXPECT_EQ(both(square + "split.B.k=sizes:1,3"), parts);
}

}  // namespace
}  // namespace shardcheck::model
