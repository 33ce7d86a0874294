#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expect.h>
#include <shardcheck/model/product/expectation.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/arena.h>
#include <shardcheck/properties/judge/judgement.h>
#include <shardcheck/properties/judge/run_record.h>

#include "corpus.h"

namespace shardcheck {

namespace {

using Mismatches = std::vector<std::string>;

bool is_of(const CorpusFile& file, Kind kind) { return kind_of(file.subject) == kind; }

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
  const Dtype out = setting(file.subject).dtypes.out;
  const std::vector<std::int64_t> coordinates = expected.owned(known.rank);
  if (coordinates.size() != known.elements.size()) {
    mismatches.push_back(fmt::format(
        "{}{}: {} values are known, {} has {}", output_name(file), known.rank,
        known.elements.size(), is_of(file, Kind::product) ? "the consumer's layout" : "the result",
        coordinates.size()));
    return;
  }
  for (std::size_t at = 0; at < coordinates.size(); ++at) {
    const std::string place =
        fmt::format("{} on rank {}", element_name(file.subject, coordinates[at]), known.rank);
    const std::string value = print_value(out, known.elements[at]);
    const model::Allowed allowed = expected.allowed(known.rank, coordinates[at]);
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
  std::vector<std::int64_t> bytes(file.bytes_sent.size());
  for (const Transfer& transfer : transfers) {
    bytes[static_cast<std::size_t>(transfer.source)] += transfer.bytes;
  }
  if (bytes == file.bytes_sent) return;
  mismatches.push_back(fmt::format("sent: known {}, {} {}", fmt::join(file.bytes_sent, " "), whose,
                                   fmt::join(bytes, " ")));
}

void compare_plan(const CorpusFile& file, std::string_view whose, const Plan& steps,
                  Mismatches& mismatches) {
  if (file.plan.empty()) return;
  const std::string plan = print(setting(file.subject).mesh, steps);
  if (plan == file.plan) return;
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

void compare_verdict(const CorpusFile& file, const Verdict& verdict, Mismatches& mismatches) {
  const std::string text = in_words(verdict);
  if (text == file.verdict) return;
  std::string mismatch = fmt::format("verdict: known {}, got {}", file.verdict, text);
  if (!verdict.reason.empty()) mismatch += ": " + verdict.reason;
  mismatches.push_back(std::move(mismatch));
}

/// Of a case that the model calls illegal.
Mismatches illegal(const CorpusFile& file, const std::string& why) {
  return file.verdict == "illegal" ? Mismatches{} : Mismatches{"illegal: " + why};
}

}  // namespace

std::vector<std::string> check_known(const CorpusFile& file, Backend& backend) {
  const auto expected = model::expect(file.subject);
  if (!expected) return illegal(file, expected.error());
  Mismatches mismatches;
  if (const auto* product = dynamic_cast<const model::ProductExpectation*>(expected->get())) {
    compare_plan(file, "the model's", product->plan.steps, mismatches);
  }
  compare_bytes(file, "the model's", (*expected)->sent, mismatches);
  std::optional<RunRecord> run;
  Arena arena;
  if (!file.is_plan_only) {
    run = run_once(file.subject, **expected, backend, arena);
    const Observation& seen = run->observation;
    if (seen.steps) compare_plan(file, "the backend's", *seen.steps, mismatches);
    if (seen.ledger) compare_bytes(file, "the backend's", seen.ledger->sent, mismatches);
    compare_verdict(file, check(file.subject, backend), mismatches);
  }
  for (const KnownOutput& known : file.outputs) {
    compare_output(file, known, **expected, run ? &*run : nullptr, mismatches);
  }
  return mismatches;
}

}  // namespace shardcheck
