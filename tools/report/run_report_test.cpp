#include "run_report.h"

#include <gtest/gtest.h>

namespace shardcheck::tools {
namespace {

/// A run of so many cases of these statuses, and nothing else.
RunOutcome outcome_of(std::int64_t passed, std::int64_t unsupported) {
  RunOutcome outcome;
  outcome.cases = passed + unsupported;
  outcome.results.statuses[static_cast<std::size_t>(Status::pass)] = passed;
  outcome.results.statuses[static_cast<std::size_t>(Status::unsupported)] = unsupported;
  return outcome;
}

/// What it is ended with, and the last line that a person reads.
struct End {
  Exit exit = Exit::passed;
  std::string last_line;
};

End end_of(const RunOutcome& outcome, const std::string& fault = "",
           const std::vector<KeptFailure>& failures = {}) {
  RunOptions options;
  options.fault = fault;
  const RunReport report{options, outcome, failures, "somebody's", {}, {}};
  std::string text = as_text(report);
  text.pop_back();
  return {exit_of(report), text.substr(text.rfind('\n') + 1)};
}

TEST(RunReport, NothingSupportedIsNothingShown) {
  const End none = end_of(outcome_of(0, 50));
  EXPECT_EQ(none.exit, Exit::nothing_shown);
  EXPECT_EQ(none.last_line, "nothing ran: all 50 cases are unsupported");
  EXPECT_EQ(end_of(outcome_of(1, 49)).exit, Exit::passed);
  EXPECT_EQ(end_of(outcome_of(0, 0)).last_line, "nothing ran");

  RunOutcome without_memory = outcome_of(0, 50);
  without_memory.not_judged = 2;
  EXPECT_EQ(end_of(without_memory).last_line,
            "nothing ran: all 50 cases are unsupported, or there was no memory for them");
}

TEST(RunReport, APlantedMistakeThatIsNotFoundIsNothingShown) {
  const End missed = end_of(outcome_of(50, 0), "nans_dropped");
  EXPECT_EQ(missed.exit, Exit::nothing_shown);
  EXPECT_EQ(missed.last_line, "the planted mistake nans_dropped was not found");
  const std::vector<KeptFailure> found(1);
  EXPECT_EQ(end_of(outcome_of(49, 0), "nans_dropped", found).exit, Exit::findings);
  EXPECT_EQ(end_of(outcome_of(49, 0), "", found).exit, Exit::findings);
}

TEST(RunReport, EveryFormTellsWhatWasMissed) {
  const RunOutcome outcome = outcome_of(50, 0);
  RunOptions options;
  options.fault = "nans_dropped";
  const std::vector<KeptFailure> failures;
  const RunReport missed{options, outcome, failures, "somebody's", {}, {}};
  EXPECT_NE(as_json(missed).find("the planted mistake nans_dropped was not found"),
            std::string::npos);
  EXPECT_NE(as_junit(missed).find(
                "<failure message=\"the planted mistake nans_dropped was not found\"/>"),
            std::string::npos);
  options.fault.clear();
  EXPECT_NE(as_junit(missed).find("name=\"the run shows something\"/>"), std::string::npos);
}

TEST(RunReport, AnInterruptStandsOverWhatWasMissed) {
  RunOutcome outcome = outcome_of(50, 0);
  outcome.is_interrupted = true;
  EXPECT_EQ(end_of(outcome, "nans_dropped").exit, Exit::interrupted);
}

}  // namespace
}  // namespace shardcheck::tools
