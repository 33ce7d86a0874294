#include <fmt/format.h>

#include <shardcheck/model/case/algorithm.h>
#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/expectation/allowed.h>
#include <shardcheck/properties/faults/fault.h>
#include <shardcheck/properties/generate/drawing.h>
#include <shardcheck/properties/generate/goals.h>
#include <shardcheck/properties/judge/number_text.h>
#include <shardcheck/properties/judge/verdict.h>

#include "commands.h"

namespace shardcheck::tools {
namespace {

void row(std::string_view label, std::string_view meaning) {
  fmt::print("  {:<26} {}\n", label, meaning);
}

void list_dtypes() {
  fmt::print("Dtypes (in, acc, wire, out)\n");
  for (const DtypeInfo& entry : dtypes) {
    row(entry.name, fmt::format("{}, {}", counted(entry.bytes, "byte"),
                                entry.is_float    ? "floating point"
                                : entry.is_signed ? "signed integer, wraps"
                                                  : "unsigned integer, wraps"));
  }
  fmt::print("  {} combinations are legal\n", legal_combinations().size());
}

void list_case_words() {
  fmt::print("\nKinds of case (the first word of a line)\n");
  row("matmul", "a sharded product: docs/case-format.md");
  row("COLLECTIVE[+COLLECTIVE]", "up to four collectives in a row, alone: docs/collectives.md");
  fmt::print(
      "\nCollectives and their algorithms (algorithm=, or algorithm.COLLECTIVE= of a product)\n");
  for (std::size_t c = 0; c < collective_names.size(); ++c) {
    std::string names;
    for (const Algorithm entry : algorithms_of(static_cast<Collective>(c))) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", name(entry));
    }
    row(collective_names[c], names);
  }
  for (const AlgorithmInfo& entry : algorithms) row(entry.name, entry.meaning);
  fmt::print("\nOperators of collectives that reduce (op=OPERATOR)\n");
  for (const OperatorInfo& entry : operators) row(entry.name, entry.meaning);
  fmt::print("\nData regimes (data=REGIME:SEED)\n");
  for (const RegimeInfo& entry : regimes) row(entry.name, entry.meaning);
}

void list_verdict_words() {
  fmt::print("\nInvariants\n");
  for (const InvariantInfo& entry : invariants) row(entry.name, entry.meaning);
  fmt::print("\nStatuses (docs/invariants.md):");
  for (const std::string_view status : status_names) fmt::print(" {}", status);
  fmt::print("\nGrades, the strongest that applies:");
  for (const std::string_view grade : model::grade_names) fmt::print(" {}", grade);
  fmt::print("\n");
}

void fault_row(const Fault& fault) {
  row(fault.name, fmt::format("[{}] {}", name(fault.caught_by), fault.meaning));
}

/// One that shows in cases of several kinds is listed with each.
void list_faults() {
  fmt::print("\nPlanted faults (--fault NAME) and the invariant that catches each\n");
  for (const KindInfo& kind : kinds) {
    if (kind.kind != kinds.front().kind) {
      fmt::print("\nPlanted faults in {} alone\n", drawing_of(kind.kind).plural);
    }
    for (const Fault& fault : faults()) {
      if (affects(fault, kind.kind)) fault_row(fault);
    }
  }
  fmt::print(
      "\nPlanted faults that hang, die or eat memory: for commands that run cases in processes of "
      "their own,\nwhich are run, enumerate, minimize and replay without --in-process\n");
  for (const Fault& fault : process_faults()) fault_row(fault);
}

}  // namespace

Exit list() {
  list_dtypes();
  list_case_words();
  list_verdict_words();
  list_faults();
  fmt::print("\nReach goals of a run\n");
  for (const GoalResult& goal : assess(Tally{}, Restrictions{})) row(goal.name, goal.meaning);
  return Exit::passed;
}

}  // namespace shardcheck::tools
