#include <algorithm>

#include <fmt/format.h>

#include <shardcheck/tools/results/failure_file.h>
#include "run_report.h"

namespace shardcheck::tools {
namespace {

/// XML text; control characters, which XML 1.0 has no way to write, become question marks.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    switch (byte) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += byte >= ' ' && byte < 127 ? byte : '?';
    }
  }
  return out;
}

bool is_of(const KeptFailure& failure, Invariant invariant) {
  return failure.shown.signature.starts_with(std::string(name(invariant)) + "/");
}

std::string failure_elements(const RunReport& report, std::string_view invariant_prefix,
                             std::int64_t& failed) {
  std::string text;
  for (const KeptFailure& failure : report.failures) {
    if (!failure.shown.signature.starts_with(invariant_prefix)) continue;
    text += fmt::format(
        "      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
        escaped(failure.shown.signature), escaped(failure.shown.line),
        escaped(failure.path.empty() ? failure.shown.reason
                                     : replay_command(report.options.fault, failure.path)));
    failed += 1;
  }
  return text;
}

std::string test_case(std::string_view suite, std::string_view label, std::string_view body) {
  if (body.empty()) {
    return fmt::format("    <testcase classname=\"shardcheck.{}\" name=\"{}\"/>\n", suite,
                       escaped(label));
  }
  return fmt::format("    <testcase classname=\"shardcheck.{}\" name=\"{}\">\n{}    </testcase>\n",
                     suite, escaped(label), body);
}

std::string suite(std::string_view label, std::int64_t tests, std::int64_t failed,
                  std::int64_t skipped, std::string_view cases) {
  return fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">\n{}  </testsuite>\n",
      label, tests, failed, skipped, cases);
}

std::string invariants_suite(const RunReport& report) {
  std::string cases;
  std::int64_t failed = 0;
  std::int64_t skipped = 0;
  for (const InvariantInfo& entry : invariants) {
    const auto& outcome =
        report.outcome.results.outcomes[static_cast<std::size_t>(entry.invariant)];
    std::int64_t findings = 0;
    std::string body = failure_elements(report, std::string(entry.name) + "/", findings);
    failed += findings > 0 ? 1 : 0;
    if (body.empty() && outcome[1] == 0) {
      body = "      <skipped message=\"not observed\"/>\n";
      skipped += 1;
    }
    cases += test_case("invariants", entry.name, body);
  }
  // A case that can't be meant breaks no invariant, and still is a disagreement.
  std::string others;
  for (const KeptFailure& failure : report.failures) {
    const bool is_named =
        std::any_of(invariants.begin(), invariants.end(),
                    [&](const InvariantInfo& entry) { return is_of(failure, entry.invariant); });
    if (is_named) continue;
    others += fmt::format("      <failure message=\"{}\">{}</failure>\n",
                          escaped(failure.shown.line), escaped(failure.shown.reason));
  }
  failed += others.empty() ? 0 : 1;
  cases += test_case("invariants", "every case can be meant", others);
  return suite("invariants", std::ssize(invariants) + 1, failed, skipped, cases);
}

std::string goals_suite(const RunReport& report) {
  std::string cases;
  std::int64_t failed = 0;
  std::int64_t skipped = 0;
  for (const GoalResult& goal : report.goals) {
    std::string body;
    switch (goal.state) {
      case GoalResult::State::met: break;
      case GoalResult::State::unmet:
        body = fmt::format("      <failure message=\"reached {} of {} times\"/>\n", goal.reached,
                           goal.required);
        failed += 1;
        break;
      case GoalResult::State::not_assessed:
        body = "      <skipped message=\"not assessed\"/>\n";
        skipped += 1;
        break;
    }
    cases += test_case("goals", goal.name, body);
  }
  std::string unshown;
  for (const std::string& shortfall : shortfalls(report)) {
    unshown += fmt::format("      <failure message=\"{}\"/>\n", escaped(shortfall));
  }
  failed += unshown.empty() ? 0 : 1;
  cases += test_case("goals", "the run shows something", unshown);
  return suite("goals", std::ssize(report.goals) + 1, failed, skipped, cases);
}

}  // namespace

std::string as_junit(const RunReport& report) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"shardcheck run, {} cases, {}\" time=\"{:.3f}\">\n{}{}"
      "</testsuites>\n",
      report.outcome.cases, origin_of(report.options), report.outcome.seconds,
      invariants_suite(report), goals_suite(report));
}

}  // namespace shardcheck::tools
