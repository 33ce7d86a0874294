#pragma once

/// The invariants that a run of any kind of case is held to, products and collectives alike. What
/// is due comes from the caller; what was done is the run's record.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/case/observation.h>

#include "elements.h"
#include "judgement.h"
#include "run_record.h"

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

/// What is plainly wrong with one element, in dtype out. `why`: what it points to, may be empty.
Finding wrong_value(const Mismatch& mismatch, Dtype out, std::string_view why);

/// `again`: the same case on another schedule. `promises_bits`: the order of every sum is promised.
Judgement judge_determinism(const RunRecord& run, const RunRecord& again, Dtype out,
                            bool promises_bits);

/// Another schedule for a second run; for one seed in four the other runtime.
Run rescheduled(const Run& run);

}  // namespace shardcheck
