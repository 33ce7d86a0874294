#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expect.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/run_record.h>

#include "corpus.h"

namespace shardcheck {

namespace {

using Mismatches = std::vector<std::string>;

std::vector<std::int64_t> coordinates_of(const model::Shard& shard, std::int64_t columns_in_all) {
  std::vector<std::int64_t> result;
  for (const std::int64_t row : shard.rows) {
    for (const std::int64_t column : shard.columns) {
      result.push_back(row * columns_in_all + column);
    }
  }
  return result;
}

/// The bits that the backend wrote for one coordinate; nothing if it says it wrote none.
std::optional<Bits> written(const RunRecord& run, std::int64_t rank, std::int64_t coordinate) {
  const auto at = static_cast<std::size_t>(rank);
  if (at >= run.observation.owned.size() || at >= run.bits.size()) return std::nullopt;
  const std::vector<std::int64_t>& owned = run.observation.owned[at];
  const auto found = std::find(owned.begin(), owned.end(), coordinate);
  const auto position = static_cast<std::size_t>(found - owned.begin());
  if (position >= run.bits[at].size()) return std::nullopt;
  return run.bits[at][position];
}

/// `run`: nothing if the case is not to be run.
void compare_output(const CorpusFile& file, const KnownOutput& known,
                    const model::Expectation& expected, const RunRecord* run,
                    Mismatches& mismatches) {
  const Case& subject = file.subject;
  const Dtype out = subject.dtypes.out;
  const auto coordinates =
      coordinates_of(expected.owned[static_cast<std::size_t>(known.rank)], subject.j);
  if (coordinates.size() != known.elements.size()) {
    mismatches.push_back(fmt::format("C@{}: {} values are known, the consumer's layout has {}",
                                     known.rank, known.elements.size(), coordinates.size()));
    return;
  }
  for (std::size_t at = 0; at < coordinates.size(); ++at) {
    const std::string place = fmt::format("C[{},{}] on rank {}", coordinates[at] / subject.j,
                                          coordinates[at] % subject.j, known.rank);
    const std::string value = print_value(out, known.elements[at]);
    const model::Allowed allowed = expected.values.allowed(known.rank, coordinates[at]);
    if (!model::allows(allowed, out, known.elements[at])) {
      mismatches.push_back(fmt::format("{}: known {}, the model allows {}", place, value,
                                       model::describe(allowed, out)));
    }
    if (run == nullptr) continue;
    const auto got = written(*run, known.rank, coordinates[at]);
    const std::string got_text = got ? print_value(out, *got) : "nothing";
    if (got_text != value) {
      mismatches.push_back(
          fmt::format("{}: known {}, the backend gave {}", place, value, got_text));
    }
  }
}

void compare_bytes(const CorpusFile& file, std::string_view whose,
                   const std::vector<Transfer>& transfers, Mismatches& mismatches) {
  if (file.bytes_sent.empty()) return;
  const std::vector<std::int64_t> bytes = model::bytes_sent(file.subject, transfers);
  if (bytes == file.bytes_sent) return;
  mismatches.push_back(fmt::format("sent: known {}, {} {}", fmt::join(file.bytes_sent, " "), whose,
                                   fmt::join(bytes, " ")));
}

void compare_plan(const CorpusFile& file, std::string_view whose, const Plan& steps,
                  Mismatches& mismatches) {
  const std::string plan = print(file.subject.mesh, steps);
  if (file.plan.empty() || plan == file.plan) return;
  mismatches.push_back(fmt::format("plan: known {}, {} {}", file.plan, whose, plan));
}

/// "fail coverage".
std::string in_words(const Verdict& verdict) {
  std::string text(status_names[static_cast<std::size_t>(verdict.status)]);
  if (!verdict.findings.empty()) {
    text += " ";
    text += name(verdict.findings.front().invariant);
  }
  return text;
}

void compare_verdict(const CorpusFile& file, Backend& backend, Mismatches& mismatches) {
  const Verdict verdict = check(file.subject, backend);
  const std::string text = in_words(verdict);
  if (text == file.verdict) return;
  std::string mismatch = fmt::format("verdict: known {}, got {}", file.verdict, text);
  if (!verdict.reason.empty()) mismatch += ": " + verdict.reason;
  mismatches.push_back(std::move(mismatch));
}

}  // namespace

std::vector<std::string> check_known(const CorpusFile& file, Backend& backend) {
  Mismatches mismatches;
  const auto expected = model::expect(file.subject);
  if (!expected) {
    if (file.verdict != "illegal") mismatches.push_back("illegal: " + expected.error());
    return mismatches;
  }
  compare_plan(file, "the model's", (*expected)->plan.steps, mismatches);
  compare_bytes(file, "the model's", (*expected)->sent, mismatches);
  std::optional<RunRecord> run;
  Arena arena;
  if (!file.is_plan_only) {
    run = run_once(file.subject, (*expected)->plan.states.front(), backend, arena);
    const Observation& seen = run->observation;
    if (seen.steps) compare_plan(file, "the backend's", *seen.steps, mismatches);
    if (seen.ledger) compare_bytes(file, "the backend's", seen.ledger->sent, mismatches);
    compare_verdict(file, backend, mismatches);
  }
  for (const KnownOutput& known : file.outputs) {
    compare_output(file, known, **expected, run ? &*run : nullptr, mismatches);
  }
  return mismatches;
}

}  // namespace shardcheck
