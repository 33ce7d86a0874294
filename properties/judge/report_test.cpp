#include "report.h"

#include <shardcheck/model/case/text.h>

#include <shardcheck/properties/by_hand/worked_example.h>

namespace shardcheck {
namespace {

TEST(Report, PutsAFindingInOneLine) {
  const Finding finding{.invariant = Invariant::coverage,
                        .kind = "k_missing",
                        .rank = 1,
                        .coordinate = 1,
                        .allowed = "22",
                        .got = "14",
                        .evidence = "k = 3 is missing"};
  EXPECT_EQ(print(parsed(worked_example_line), finding),
            "coverage/k_missing rank 1, C[0,1]: allowed 22, got 14; k = 3 is missing");
}

TEST(Report, ShowsTheCaseAndWhatIsWrongWithIt) {
  const Case subject = parsed(worked_example_line);
  WorkedExample backend(
      [](const Request& request, Observation&) { put(request.ranks[0].output, 0, 20); });
  const std::string text = print(subject, check(subject, backend));
  EXPECT_EQ(text.substr(0, text.find('\n')), "fail value/wrong");
  EXPECT_NE(text.find("\n  case    " + print(subject) + "\n"), std::string::npos) << text;
  EXPECT_NE(text.find("value/wrong rank 0, C[0,0]: allowed 19"), std::string::npos) << text;
}

TEST(Report, ShowsTheCommandThatReplaysOnlyIfItIsTold) {
  const Case product = parsed(worked_example_line);
  const CallsCase collective = *parse_calls("all_gather mesh=x2 n=2");
  EXPECT_EQ(print(product, Verdict{}).find("replay"), std::string::npos);
  EXPECT_EQ(print(collective, Verdict{}).find("replay"), std::string::npos);
  for (const std::string& text : {print(product, Verdict{}, "my_test --line=7"),
                                  print(collective, Verdict{}, "my_test --line=7")}) {
    EXPECT_NE(text.find("\n  replay  my_test --line=7\n"), std::string::npos) << text;
  }
}

TEST(Report, StopsAfterTenFindings) {
  Verdict verdict;
  verdict.status = Status::fail;
  verdict.findings.assign(25, Finding{.kind = "wrong"});
  verdict.finding_count = 31;
  const std::string text = print(parsed(worked_example_line), verdict);
  EXPECT_NE(text.find("and 21 more"), std::string::npos) << text;
}

}  // namespace
}  // namespace shardcheck
