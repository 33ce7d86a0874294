#include <algorithm>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/collective/calls_expectation.h>
#include <shardcheck/model/expect.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/run_record.h>
#include <shardcheck/properties/judge/judgement.h>
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

/// What is due to a rank, from either kind of expectation.
struct DueOutput {
  std::string_view named;  ///< "C@", as in the file
  std::string_view due_by;
  Dtype out = Dtype::f32;
  std::vector<std::int64_t> coordinates;
  std::function<model::Allowed(std::int64_t coordinate)> allowed;
  std::function<std::string(std::int64_t coordinate)> element;
};

/// `run`: nothing if the case is not to be run.
void compare_output(const KnownOutput& known, const DueOutput& due, const RunRecord* run,
                    Mismatches& mismatches) {
  const Dtype out = due.out;
  const std::vector<std::int64_t>& coordinates = due.coordinates;
  if (coordinates.size() != known.elements.size()) {
    mismatches.push_back(fmt::format("{}{}: {} values are known, {} has {}", due.named, known.rank,
                                     known.elements.size(), due.due_by, coordinates.size()));
    return;
  }
  for (std::size_t at = 0; at < coordinates.size(); ++at) {
    const std::string place =
        fmt::format("{} on rank {}", due.element(coordinates[at]), known.rank);
    const std::string value = print_value(out, known.elements[at]);
    const model::Allowed allowed = due.allowed(coordinates[at]);
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
  const std::string plan = print(std::get<ProductCase>(file.subject).mesh, steps);
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

DueOutput due_output(const ProductCase& subject, const model::Expectation& expected, std::int64_t rank) {
  return {"C@",
          "the consumer's layout",
          subject.dtypes.out,
          coordinates_of(expected.owned[static_cast<std::size_t>(rank)], subject.j),
          [&expected, rank](std::int64_t coordinate) {
            return expected.values.allowed(rank, coordinate);
          },
          [&subject](std::int64_t coordinate) { return element_name(subject, coordinate); }};
}

DueOutput due_output(const CallsCase& subject, const model::CollectiveExpectation& expected,
                     std::int64_t rank) {
  return {"result@",
          "the result",
          subject.dtypes.out,
          expected.owned(rank),
          [&expected, rank](std::int64_t coordinate) {
            return expected.values.allowed(rank, coordinate);
          },
          [&subject](std::int64_t coordinate) { return element_name(subject, coordinate); }};
}

}  // namespace

std::vector<std::string> check_known(const CorpusFile& file, Backend& backend) {
  const ProductCase& subject = std::get<ProductCase>(file.subject);
  const auto expected = model::expect(subject);
  if (!expected) return illegal(file, expected.error());
  Mismatches mismatches;
  compare_plan(file, "the model's", (*expected)->plan.steps, mismatches);
  compare_bytes(file, "the model's", (*expected)->sent, mismatches);
  std::optional<RunRecord> run;
  Arena arena;
  if (!file.is_plan_only) {
    run = run_once(subject, (*expected)->plan.states.front(), backend, arena);
    const Observation& seen = run->observation;
    if (seen.steps) compare_plan(file, "the backend's", *seen.steps, mismatches);
    if (seen.ledger) compare_bytes(file, "the backend's", seen.ledger->sent, mismatches);
    compare_verdict(file, check(subject, backend), mismatches);
  }
  for (const KnownOutput& known : file.outputs) {
    compare_output(known, due_output(subject, **expected, known.rank), run ? &*run : nullptr,
                   mismatches);
  }
  return mismatches;
}

std::vector<std::string> check_known(const CorpusFile& file, Backend& backend) {
  const CallsCase& subject = std::get<CallsCase>(file.subject);
  const auto expected = model::expect(subject);
  if (!expected) return illegal(file, expected.error());
  Mismatches mismatches;
  compare_bytes(file, "the model's", (*expected)->sent, mismatches);
  CollectiveArena arena;
  const RunRecord run = run_once(subject, **expected, backend, arena);
  const Observation& seen = run.observation;
  if (seen.ledger) compare_bytes(file, "the backend's", seen.ledger->sent, mismatches);
  compare_verdict(file, check(subject, backend), mismatches);
  for (const KnownOutput& known : file.outputs) {
    compare_output(known, due_output(subject, **expected, known.rank), &run, mismatches);
  }
  return mismatches;
}

std::vector<std::string> check_known(const CorpusFile& file, Backend& products,
                                     Backend& collectives) {
  return std::holds_alternative<ProductCase>(file.subject) ? check_known(file, products)
                                                    : check_known(file, collectives);
}

}  // namespace shardcheck
