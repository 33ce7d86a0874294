#pragma once

/// Statuses and findings: plain data.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/observation.h>
#include <shardcheck/model/expectation/allowed.h>

#include "relation.h"

namespace shardcheck {

/// In the order in which findings are listed; the first finding names the case.
enum class Invariant : std::uint8_t {
  liveness,
  memory,
  plan,
  coverage,
  ownership,
  ledger,
  value,
  determinism,
  metamorphic
};

struct InvariantInfo {
  Invariant invariant = Invariant::liveness;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<InvariantInfo, 9> invariants{{
    {Invariant::liveness, "liveness", "every rank finishes; no message is left over"},
    {Invariant::memory, "memory",
     "inputs unchanged; nothing written outside the owned output; nothing left unwritten; the "
     "caller's float environment as it was"},
    {Invariant::plan, "plan",
     "each step is legal when it is taken; the plan is the case's, or as cheap as the cheapest"},
    {Invariant::coverage, "coverage",
     "the k lists of the local products are disjoint, cover K, and pair A's k with B's"},
    {Invariant::ownership, "ownership",
     "every rank returns exactly its coordinates; replicas agree bit for bit"},
    {Invariant::ledger, "ledger",
     "bytes sent per phase and pair equal the closed form; received equals sent; temporary memory "
     "within its bound"},
    {Invariant::value, "value", "every returned element is an allowed result"},
    {Invariant::determinism, "determinism",
     "another schedule gives the same bits and the same ledger"},
    {Invariant::metamorphic, "metamorphic", "related cases have related answers"},
}};

constexpr std::string_view name(Invariant invariant) {
  return invariants[static_cast<std::size_t>(invariant)].name;
}

/// One thing that is wrong.
struct Finding {
  Invariant invariant = Invariant::value;
  std::string kind{};      ///< snake_case, e.g. "k_missing"; invariant + kind is the signature
  std::int64_t rank = -1;  ///< -1: no one rank
  std::int64_t coordinate = -1;  ///< as in Observation::owned; -1: no one element
  std::string allowed{};         ///< what was allowed
  std::string got{};             ///< what came
  std::string evidence{};        ///< what it points to: "k = 3 is missing"; may be empty

  bool operator==(const Finding&) const = default;
};

/// docs/invariants.md, "Status", says which goes before which.
enum class Status : std::uint8_t {
  illegal,  ///< the case can't be meant (model::expect says why)
  fail,
  nondeterministic,
  timeout,
  unsupported,  ///< the backend says so
  vacuous,      ///< all holds, but the data could not have shown a fault
  pass
};

inline constexpr std::array<std::string_view, 7> status_names{
    "illegal", "fail", "nondeterministic", "timeout", "unsupported", "vacuous", "pass"};

/// Whether a case with this status is to be kept and made smaller.
constexpr bool is_failure(Status status) {
  return status == Status::fail || status == Status::nondeterministic || status == Status::timeout;
}

enum class Outcome : std::uint8_t { not_observed, holds, broken };

/// Memory that a rank held beyond its inputs and output (docs/plans.md, "Temporaries"), in bytes.
struct Temporaries {
  std::int64_t peak = 0;
  std::int64_t allowed = 0;

  bool operator==(const Temporaries&) const = default;
};

struct Verdict {
  Status status = Status::pass;
  bool is_trivial = false;         ///< nothing was contracted, or nothing returned
  std::string reason;              ///< illegal, unsupported, vacuous: why
  std::vector<Finding> findings;   ///< ordered by invariant; limits.h bounds them
  std::int64_t finding_count = 0;  ///< of all, those beyond the limit too
  bool is_from_tokens = false;     ///< the findings are those of a run with CheckOptions::tokens
  std::array<Outcome, invariants.size()> outcomes{};  ///< by Invariant
  std::array<std::int64_t, model::grade_names.size()> elements_by_grade{};
  std::int64_t elements_rounded = 0;     ///< products: judged elements unlike the exact sum
  std::int64_t alterations_asked = 0;    ///< contributions dropped, doubled, mispaired in thought
  std::int64_t alterations_blind = 0;    ///< those that no result would have shown
  Plan plan;                             ///< products: resolved
  std::vector<Relation> relations;       ///< those that a related case was compared by
  std::vector<Temporaries> temporaries;  ///< by rank; empty if the backend doesn't tell

  bool operator==(const Verdict&) const = default;
};

/// "coverage/k_missing" of the first finding; "" without one.
std::string signature(const Verdict& verdict);

}  // namespace shardcheck
