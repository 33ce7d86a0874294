#pragma once

/// The bytes of a ledger by phase and rank.

#include <cstdint>
#include <string>
#include <vector>

#include <shardcheck/model/case/observation.h>

#include "ownership_text.h"

namespace shardcheck::tools {

/// [phase][rank]: bytes sent. Transfers of other phases or ranks are left out.
std::vector<std::vector<std::int64_t>> bytes_by_phase(std::int64_t ranks, std::int64_t phase_count,
                                                      const std::vector<Transfer>& sent);

/// A table with a row a rank, a column a phase, and totals. Where `metered` differs from `expected`
/// both stand. `titles`: of the columns.
std::string ledger_table(std::int64_t ranks, const std::vector<std::string>& titles,
                         const std::vector<Transfer>& expected,
                         const std::vector<Transfer>& metered, const Detail& detail);

}  // namespace shardcheck::tools
