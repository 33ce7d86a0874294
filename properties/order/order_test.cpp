#include "order.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/faults/fault.h>

namespace shardcheck {
namespace {

std::string text(const SummationTree& tree) {
  return print(tree, [](std::int64_t leaf) { return std::to_string(leaf); });
}

/// Everything that differs from what is documented; empty: nothing does.
std::string differences(const tl::expected<OrderReport, std::string>& report) {
  if (!report) return report.error();
  std::string all;
  for (const OrderFound& found : report->found) {
    if (found.is_as_documented()) continue;
    all += "rank " + std::to_string(found.rank) + " element " + std::to_string(found.coordinate) +
           ": documented " + text(found.documented) + ", found " +
           (found.found ? text(*found.found) : found.found.error()) + "\n";
  }
  return all;
}

tl::expected<OrderReport, std::string> order_of(const std::string& line, Backend& backend) {
  const auto subject = parse_product(line);
  if (!subject) return tl::unexpected<std::string>(print(subject.error()));
  return reveal_order(*subject, backend);
}

tl::expected<OrderReport, std::string> order_of(const std::string& line) {
  impl::ShardedBackend backend;
  return order_of(line, backend);
}

tl::expected<OrderReport, std::string> collective_order_of(const std::string& line) {
  const auto subject = parse_calls(line);
  if (!subject) return tl::unexpected<std::string>(print(subject.error()));
  impl::ShardedBackend backend;
  return reveal_order(*subject, backend);
}

TEST(Order, EveryAlgorithmAddsAsItIsDocumented) {
  for (const Collective collective :
       {Collective::all_reduce, Collective::reduce_scatter, Collective::reduce}) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (const int ranks : {1, 2, 3, 4, 5, 6, 7, 8, 9, 12}) {
        const std::string line = std::string(name(collective)) + " mesh=x" + std::to_string(ranks) +
                                 " n=13 algorithm=" + std::string(name(algorithm));
        const auto report = collective_order_of(line);
        EXPECT_EQ(differences(report), "") << line;
        if (report) {
          EXPECT_EQ(std::ssize(report->terms), ranks) << line;
        }
      }
    }
  }
}

TEST(Order, EveryRootAndEveryGroupIsLookedAt) {
  for (const std::string algorithm : {"binomial", "chain", "direct"}) {
    for (const int root : {0, 1, 4}) {
      const std::string line =
          "reduce mesh=x5 n=2 root=" + std::to_string(root) + " algorithm=" + algorithm;
      EXPECT_EQ(differences(collective_order_of(line)), "") << line;
    }
  }
  EXPECT_EQ(differences(collective_order_of("all_reduce mesh=x2,y3 over=y n=6")), "");
}

TEST(Order, FindsTheTreesOfAProductAndItsChains) {
  const auto report = order_of(
      "matmul mesh=x4 i=4 j=1 k=8 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter");
  ASSERT_EQ(differences(report), "");
  ASSERT_EQ(report->found.size(), 4U);
  EXPECT_EQ(text(*report->found[0].found), "[[2 3] [4 5] [6 7] [0 1]]");
  EXPECT_EQ(text(*across_ranks(*report->found[0].found, report->found[0].own)), "[1 2 3 0]");
  EXPECT_EQ(text(*across_ranks(*report->found[2].found, report->found[2].own)), "[0 3 1 2]");
  EXPECT_EQ(report->runs, 8 * 7 / 2);
}

TEST(Order, HoldsForPlansLayoutsKernelsAndDtypes) {
  for (const std::string rest :
       {"matmul mesh=x2,y2 i=4 j=4 k=8 A[i/y,k/x] B[k/x,j] -> C[i,j] "
        "plan=local+all_reduce:C/x+gather:C/y",
        "matmul mesh=x2,y3 i=5 j=3 k=12 A[i,k/x/y] B[k/x/y,j] -> C[i/y,j/x] "
        "plan=local+reduce_scatter:C/x+reduce_scatter:C/y",
        "matmul mesh=x3 i=6 j=2 k=9 A[i,k/x] B[k/x,j] -> C[i/x,j] split.k=sets:8,1|0,2,4,6|7,5,3 "
        "algorithm.reduce_scatter=direct plan=local+reduce_scatter",
        "matmul mesh=x3 i=2 j=2 k=7 A[i,k/x] B[k/x,j] -> C[i,j] split.k=sizes:4,0,3 "
        "plan=local+all_reduce",
        "matmul mesh=x2 i=2 j=2 k=6 A[i,k/x] B[k/x,j] -> C[i,j]+x plan=local",
        "matmul mesh=x3 i=3 j=3 k=9 A[i,k] B[k/x,j] -> C[i/x,j]",
        "matmul i=17 j=9 k=40 A[i,k] B[k,j] -> C[i,j]",
        "matmul mesh=x2 i=4 j=4 k=500 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter"}) {
    for (const std::string more :
         {"", " kernel=ordered", " fma=yes", " in=f16 acc=f16", " in=bf16 wire=bf16", " in=f8e5m2",
          " in=f8e4m3fn out=f32", " in=f64", " run=threads"}) {
      EXPECT_EQ(differences(order_of(rest + more)), "") << rest << more;
    }
  }
}

TEST(Order, HoldsForSchedules) {
  for (const std::string rest :
       {"matmul mesh=x3 i=3 j=3 k=7 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=gather_local:A/x",
        "matmul mesh=x2,y3 i=3 j=4 k=8 A[i,k/y] B[k/y,j/x] -> C[i,j] "
        "plan=gather_local:B/x+all_reduce:C/y",
        "matmul mesh=x4 i=6 j=3 k=9 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local_scatter:C/x",
        "matmul mesh=x2,y3 i=4 j=3 k=7 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] "
        "split.A.k=sets:6,0|5,1,4|2,3 split.B.k=cyclic:2 plan=summa:x/y",
        "matmul mesh=x3,y3 i=3 j=4 k=8 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] "
        "split.k=sets:6,2|4,0,1|3,5,7 plan=cannon:x/y"}) {
    for (const std::string more : {"", " kernel=ordered", " fma=yes", " in=bf16 wire=bf16"}) {
      EXPECT_EQ(differences(order_of(rest + more)), "") << rest << more;
    }
  }
}

TEST(Order, EveryReductionInAPlanAddsAsItIsDocumented) {
  for (const std::string collective : {"reduce_scatter", "all_reduce"}) {
    for (const Algorithm algorithm : algorithms_of(
             collective == "all_reduce" ? Collective::all_reduce : Collective::reduce_scatter)) {
      const std::string line = "matmul mesh=x6 i=12 j=1 k=12 A[i,k/x] B[k/x,j] -> C[i" +
                               std::string(collective == "all_reduce" ? "" : "/x") +
                               ",j] plan=local+" + collective + " algorithm." + collective + "=" +
                               std::string(name(algorithm));
      EXPECT_EQ(differences(order_of(line)), "") << line;
    }
  }
}

TEST(Order, AnotherOrderIsSeenAndNamed) {
  const auto fault = std::ranges::find(faults(), "order_of_another_algorithm", &Fault::name);
  ASSERT_NE(fault, faults().end());
  const auto report =
      order_of("matmul mesh=x3 i=3 j=1 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter",
               *fault->make());
  // Block 0 is documented as x_1, x_2, x_0; adding x_0 first it comes out as x_0, x_1, x_2. Block 2
  // is the same either way.
  EXPECT_EQ(differences(report),
            "rank 0 element 0: documented [1 2 0], found [0 1 2]\n"
            "rank 1 element 1: documented [0 2 1], found [0 1 2]\n");
}

/// Runs another algorithm than the one that it is asked for.
class OtherAlgorithm final : public Backend {
 public:
  explicit OtherAlgorithm(Algorithm algorithm) : algorithm_(algorithm) {}
  std::string_view name() const override { return "other algorithm"; }
  bool serves(Kind kind) const override { return kind == Kind::calls; }
  Promises promises() const override { return inner_.promises(); }
  Observation run(const Request& request) override {
    Case other = request.subject;
    std::get<CallsCase>(other).calls.front().algorithm = algorithm_;
    return inner_.run({other, request.ranks, request.trace});
  }

 private:
  Algorithm algorithm_;
  impl::ShardedBackend inner_;
};

TEST(Order, NoTwoAlgorithmsOfACollectivePassForEachOther) {
  const auto subject = parse_calls("reduce mesh=x6 n=3 algorithm=binomial");
  ASSERT_TRUE(subject.has_value());
  for (const Algorithm other : {Algorithm::direct, Algorithm::chain}) {
    OtherAlgorithm backend(other);
    EXPECT_NE(differences(reveal_order(*subject, backend)), "") << name(other);
  }
}

/// Some kernels keep several running sums.
class TwoSums final : public Backend {
 public:
  std::string_view name() const override { return "two sums"; }
  bool serves(Kind kind) const override { return kind == Kind::product; }
  Promises promises() const override { return {}; }
  Observation run(const Request& request) override {
    const auto a = [&](std::int64_t k) { return load(request.ranks[0].inputs[0], Dtype::f32, k); };
    const auto b = [&](std::int64_t k) { return load(request.ranks[0].inputs[1], Dtype::f32, k); };
    std::array<float, 2> sums{};
    for (std::int64_t k = 0; k < std::get<ProductCase>(request.subject).k; ++k) {
      sums[static_cast<std::size_t>(k % 2)] +=
          std::bit_cast<float>(static_cast<std::uint32_t>(a(k))) *
          std::bit_cast<float>(static_cast<std::uint32_t>(b(k)));
    }
    store(request.ranks[0].output, Dtype::f32, 0, std::bit_cast<std::uint32_t>(sums[0] + sums[1]));
    Observation observation;
    observation.owned = {{0}};
    return observation;
  }
};

TEST(Order, ALocalProductInAnotherOrderIsSeen) {
  TwoSums backend;
  EXPECT_EQ(differences(order_of("matmul i=1 j=1 k=6 A[i,k] B[k,j] -> C[i,j]", backend)),
            "rank 0 element 0: documented [0 1 2 3 4 5], found [[0 2 4] [1 3 5]]\n");
}

TEST(Order, SaysWhyThereIsNone) {
  const auto why = [](const std::string& line) { return order_of(line).error(); };
  EXPECT_NE(why("matmul i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] in=i8").find("integers"),
            std::string::npos);
  EXPECT_EQ(why("matmul i=1 j=1 k=0 A[i,k] B[k,j] -> C[i,j]"), "there is no k to add over");
  EXPECT_EQ(why("matmul i=0 j=1 k=2 A[i,k] B[k,j] -> C[i,j]"), "nobody returns a sum");
  EXPECT_EQ(collective_order_of("all_gather mesh=x2 n=4").error(),
            "an order is shown where the first call alone reduces");
  EXPECT_EQ(collective_order_of("all_reduce mesh=x2 n=4 op=max").error(),
            "an order is shown for op=sum alone");
  const auto fault = std::ranges::find(faults(), "rank_never_sends", &Fault::name);
  EXPECT_NE(order_of("matmul mesh=x2 i=2 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] "
                     "plan=local+reduce_scatter",
                     *fault->make())
                .error()
                .find("didn't finish"),
            std::string::npos);
}

}  // namespace
}  // namespace shardcheck
