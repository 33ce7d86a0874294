#pragma once

/// The invariants that a run of any kind of case is held to, one function each; what only one kind
/// has stands in kinds/. docs/invariants.md says what each asks and which kinds of findings it has.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <shardcheck/model/case/observation.h>
#include <shardcheck/model/case/setting.h>

#include "elements.h"
#include "judgement.h"
#include "run_record.h"
#include "swaps.h"

namespace shardcheck {

Judgement judge_liveness(const Observation& observation);

/// `elements`: nothing if the run didn't finish.
Judgement judge_memory(const RunRecord& run, const Elements& elements, Dtype out);

/// Entries of no bytes are ignored. `due` is ascending, as model::ledger gives it.
Judgement judge_ledger(const std::vector<Transfer>& due, const std::optional<Ledger>& told,
                       const DtypeCombination& types);

/// By rank, the most that temporaries may take; findings go to the judgement of the ledger.
void judge_temporaries(const std::vector<std::int64_t>& allowed,
                       const std::optional<std::vector<std::int64_t>>& told, Judgement& judgement);

/// What the ranks held beyond inputs and outputs, beside what they may; empty if they don't tell.
std::vector<Temporaries> temporaries(const std::vector<std::int64_t>& allowed,
                                     const std::optional<std::vector<std::int64_t>>& told);

/// Which coordinates were returned: by rank, true if they are the contract's. Findings go to
/// `judgement`.
std::vector<bool> judge_owners(const Evidence& evidence, Judgement& judgement);

/// What the values say about ownership: swapped shards, replicas that differ.
void judge_replicas(const Evidence& evidence, const std::vector<bool>& owns_rightly,
                    const std::vector<Swap>& swaps, Judgement& judgement);

/// What no other invariant explains is plainly wrong. `why`: by mismatch, what it points to; may be
/// empty.
Judgement judge_value(const Evidence& evidence, const Elements& elements,
                      const std::vector<Swap>& swaps, const std::vector<std::string>& why);

/// `again`: the same case on another schedule. `promises_bits`: the order of every sum is promised.
Judgement judge_determinism(const RunRecord& run, const RunRecord& again, Dtype out,
                            bool promises_bits);

/// Another schedule for a second run; for one seed in four the other runtime.
Run rescheduled(const Run& run);

}  // namespace shardcheck
