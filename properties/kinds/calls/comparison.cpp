#include "comparison.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/properties/judge/number_text.h>

namespace shardcheck {

namespace {

bool is_exact(const CallsEvidence& evidence, std::int64_t rank, std::size_t position) {
  const auto& owned = evidence.run.observation.owned[static_cast<std::size_t>(rank)];
  const model::Allowed allowed = evidence.expectation.values.allowed(rank, owned[position]);
  return allowed.grade == model::Grade::exact;
}

/// Where a sum rounds, results must agree only under one tree, declared and promised. What is exact
/// in the related case is a function of the same values, so that it is due whatever the case did.
bool must_agree(const CallsEvidence& first, const CallsEvidence& second, const RelatedCase& one,
                std::int64_t rank, std::size_t position) {
  const bool has_one_order =
      first.subject.order == Order::declared && first.promises.declared_order;
  return (one.rounds_alike && has_one_order) || is_exact(second, rank, position);
}

}  // namespace

CallsComparison::CallsComparison(Relation relation, RelatedCalls related,
                                 const CallsEvidence& first)
    : relation_(relation), related_(std::move(related)), first_(first) {
  for (const RelatedCase& one : related_.cases) cases_.emplace_back(one.subject);
}

void CallsComparison::compare(std::size_t index, const Evidence& of_second, const Verdict& alone) {
  const RelatedCase& one = related_.cases[index];
  if (alone.status == Status::unsupported) {
    is_run_ = false;
    return;
  }
  if (!alone.findings.empty()) {
    add(judgement_, fails_alone(relation_, one.subject, alone));
    return;
  }
  const CallsEvidence second(of_second);
  compare_results(one, second);
  if (!second.run.observation.ledger) {
    has_bytes_ = false;
    return;
  }
  for (const auto& [place, bytes] : tabulated(second.run.observation.ledger->sent)) {
    const auto& [phase, source, destination] = place;
    const std::int64_t counted = one.phase_of[static_cast<std::size_t>(phase)];
    if (counted >= 0) bytes_[{counted, source, destination}] += bytes;
  }
}

void CallsComparison::compare_results(const RelatedCase& one, const CallsEvidence& second) {
  const Dtype out = one.subject.dtypes.out;
  for (std::size_t rank = 0; rank < one.due.size(); ++rank) {
    const auto number = static_cast<std::int64_t>(rank);
    const std::vector<Bits>& got = second.run.bits[rank];
    if (got.size() != one.due[rank].size()) {
      Finding wrong = related_finding(relation_, "owned", one.subject);
      wrong.rank = number;
      wrong.allowed = counted(std::ssize(one.due[rank]), "element");
      wrong.got = counted(std::ssize(got), "element");
      add(judgement_, std::move(wrong));
      continue;
    }
    for (std::size_t position = 0; position < got.size(); ++position) {
      const std::optional<Bits>& due = one.due[rank][position];
      if (!due || is_same(out, *due, got[position])) continue;
      if (!must_agree(first_, second, one, number, position)) continue;
      Finding wrong = related_finding(relation_, "bits", one.subject);
      wrong.rank = number;
      wrong.coordinate = second.run.observation.owned[rank][position];
      wrong.allowed = with_hex(out, *due);
      wrong.got = with_hex(out, got[position]);
      add(judgement_, std::move(wrong));
    }
  }
}

Judgement CallsComparison::conclude() {
  if (!is_run_ && judgement_.findings.empty()) return {};
  observe(judgement_);
  if (!judgement_.findings.empty() || !related_.bytes || !has_bytes_) return judgement_;
  for (const BytesDiffer& one : differences(*related_.bytes, bytes_)) {
    Finding wrong = related_finding(relation_, "bytes", related_.cases.front().subject);
    wrong.rank = one.source;
    wrong.allowed =
        fmt::format("{} to rank {}, by the case itself", counted(one.due, "byte"), one.destination);
    wrong.got = counted(one.told, "byte");
    add(judgement_, std::move(wrong));
  }
  return judgement_;
}

}  // namespace shardcheck
