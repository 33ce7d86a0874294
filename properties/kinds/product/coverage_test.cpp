#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

Verdict with_products(std::vector<LocalProduct> products) {
  return judged([&](const Request&, Observation& observation) { observation.products = products; });
}

TEST(Coverage, NamesAKThatNoProductHas) {
  const Verdict verdict = with_products({product(0, {0}, {0}), product(1, {}, {})});
  ASSERT_EQ(signature(verdict), "coverage/k_missing");
  EXPECT_EQ(verdict.findings.front().rank, 1);
  EXPECT_EQ(verdict.findings.front().got, "k = 1 multiplied by nobody");
}

TEST(Coverage, NamesAKThatTwoProductsHave) {
  const Verdict verdict = with_products({product(0, {0, 1}, {0, 1}), product(1, {1}, {1})});
  ASSERT_EQ(signature(verdict), "coverage/k_doubled");
  EXPECT_EQ(verdict.findings.front().got, "k = 1 multiplied more than once");
}

TEST(Coverage, NamesColumnsAndRowsThatDoNotPair) {
  const Verdict verdict = with_products({product(0, {0, 1}, {1, 0})});
  ASSERT_EQ(signature(verdict), "coverage/k_mispaired");
  EXPECT_EQ(verdict.findings.front().got, "A's k = 0 meets B's k = 1");
}

TEST(Coverage, AcceptsSeveralProductsOnOneRank) {
  const Verdict verdict =
      with_products({product(1, {1}, {1}), product(0, {0}, {0}), product(1, {}, {})});
  EXPECT_EQ(verdict.status, Status::pass);
}

TEST(Coverage, FindsTheMissingKInTheValuesIfNobodyTells) {
  // Without k = 1: [5 6; 15 18].
  const Verdict verdict = judged([](const Request& request, Observation& observation) {
    observation.products.reset();
    put(request.ranks[0].output, 0, 5);
    put(request.ranks[0].output, 1, 6);
    put(request.ranks[1].output, 0, 15);
    put(request.ranks[1].output, 1, 18);
  });
  ASSERT_EQ(signature(verdict), "coverage/k_missing");
  EXPECT_EQ(verdict.findings.front().evidence.substr(0, 16), "k = 1 is missing");
}

TEST(Coverage, FindsTheDoubledKInTheValuesIfTheListsHideIt) {
  // k = 0 twice: [24 28; 58 68].
  const Verdict verdict = judged([](const Request& request, Observation&) {
    put(request.ranks[0].output, 0, 24);
    put(request.ranks[0].output, 1, 28);
    put(request.ranks[1].output, 0, 58);
    put(request.ranks[1].output, 1, 68);
  });
  ASSERT_EQ(signature(verdict), "coverage/k_doubled");
}

TEST(Coverage, BlamesNoKIfARightElementSpeaksAgainstIt) {
  // C[0,0] is what it would be without k = 1; the other three are right.
  const Verdict verdict =
      judged([](const Request& request, Observation&) { put(request.ranks[0].output, 0, 5); });
  ASSERT_EQ(signature(verdict), "value/wrong");
}

TEST(Coverage, BlamesNoKForASingleStep) {
  // The product of k = 1 is the last place of the sum: 1 + 2^-23 instead of 1.
  const std::string_view line =
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
      "data=given A=1,0x1p-23,1,0x1p-23 B=1,1,1,1";
  const Verdict verdict = judged(
      [](const Request& request, Observation& observation) {
        observation.products.reset();
        for (const std::size_t rank : {0U, 1U}) {
          put(request.ranks[rank].output, 0, 1);
          put(request.ranks[rank].output, 1, 1);
        }
      },
      line);
  ASSERT_EQ(signature(verdict), "value/one_ulp");
}

}  // namespace
}  // namespace shardcheck
