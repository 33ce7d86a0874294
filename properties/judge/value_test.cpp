#include <cmath>
#include <limits>

#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

TEST(Value, ShowsWhatWasAllowedWhatCameAndHowFarApart) {
  const Verdict verdict = judged([](const Request& request, Observation&) {
    put(request.ranks[0].output, 1, std::nextafter(22.0F, 23.0F));
  });
  ASSERT_EQ(verdict.findings.size(), 1U);
  const Finding& finding = verdict.findings.front();
  ASSERT_EQ(signature(verdict), "value/one_ulp");
  EXPECT_EQ(finding.rank, 0);
  EXPECT_EQ(finding.coordinate, 1);
  EXPECT_EQ(finding.allowed, "22 (0x1.6p+4)");
  EXPECT_NE(finding.got.find("0x1.600002p+4"), std::string::npos) << finding.got;
  EXPECT_EQ(finding.evidence, "1 ulp too high, exact in every order");
}

TEST(Value, NamesANaNThatNobodyExpected) {
  const Verdict verdict = judged([](const Request& request, Observation&) {
    put(request.ranks[1].output, 0, std::numeric_limits<float>::quiet_NaN());
  });
  ASSERT_EQ(signature(verdict), "value/nan");
}

TEST(Value, NamesANaNThatWentMissing) {
  const std::string_view line =
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
      "data=given A=nan,2,3,4 B=5,6,7,8";
  const Verdict right = judged({}, line);
  EXPECT_EQ(right.status, Status::pass) << print(parsed(line), right);
  const Verdict verdict = judged(
      [](const Request& request, Observation&) { put(request.ranks[0].output, 0, 14); }, line);
  EXPECT_EQ(verdict.status, Status::fail);
  EXPECT_EQ(outcome(verdict, Invariant::value), Outcome::broken);
}

TEST(Value, TellsMinusZeroFromZero) {
  const std::string_view line =
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
      "data=given A=0,0,3,4 B=5,6,7,8";
  const Verdict verdict = judged(
      [](const Request& request, Observation&) { put(request.ranks[0].output, 0, -0.0F); }, line);
  ASSERT_EQ(signature(verdict), "value/one_ulp");
}

}  // namespace
}  // namespace shardcheck
