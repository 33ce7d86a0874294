#include "conclude.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/float_environment.h>

namespace shardcheck {

namespace {

Status status_of(const Verdict& verdict, Ending ending, bool is_blind) {
  if (ending == Ending::timed_out) return Status::timeout;
  if (!verdict.findings.empty()) {
    const bool only_determinism = verdict.findings.front().invariant == Invariant::determinism;
    return only_determinism ? Status::nondeterministic : Status::fail;
  }
  // Who declines is excused for what he didn't do, not for what he did.
  if (ending == Ending::unsupported) return Status::unsupported;
  return is_blind ? Status::vacuous : Status::pass;
}

}  // namespace

bool is_clean(const Judgements& judgements) {
  return std::ranges::all_of(judgements,
                             [](const Judgement& judgement) { return judgement.findings.empty(); });
}

void conclude(Judgements& judgements, Ending ending, const model::Vacuity& vacuity,
              Verdict& verdict) {
  verdict.is_trivial = vacuity.is_trivial;
  verdict.alterations_asked = vacuity.asked;
  verdict.alterations_blind = vacuity.blind;
  for (std::size_t index = 0; index < judgements.size(); ++index) {
    verdict.outcomes[index] = judgements[index].outcome;
    verdict.finding_count += judgements[index].finding_count;
    std::ranges::move(judgements[index].findings, std::back_inserter(verdict.findings));
  }
  const bool is_blind = vacuity.gates && vacuity.blind > 0 && !vacuity.is_trivial;
  verdict.status = status_of(verdict, ending, is_blind);
  if (verdict.status == Status::vacuous) verdict.reason = vacuity.first_blind;
}

void remember_case(std::string line) {
  thread_local std::string kept;
  set_case_at_work({});
  kept = std::move(line);
  set_case_at_work(kept);
}

void require_float_environment() {
  SHARDCHECK_REQUIRE(
      float_environment_problem().empty(),
      "allowed results are computed on this thread, which has to round to nearest and "
      "to keep subnormal numbers; objects built with -ffast-math change that");
}

std::uint64_t hash_of(std::string_view line) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : line) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace shardcheck
