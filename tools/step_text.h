#pragma once

/// A step of a plan in words, and the bytes of a ledger by step and rank.

#include <cstdint>
#include <string>
#include <vector>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/case/observation.h>

#include "ownership_text.h"

namespace shardcheck::tools {

/// "the partials over x are summed (ring); each rank keeps its part of C"
std::string meaning_of(const ProductCase& subject, const Step& step);

/// [step][rank]: bytes sent. Transfers of other phases or ranks are left out.
std::vector<std::vector<std::int64_t>> bytes_by_step(std::int64_t ranks, std::int64_t step_count,
                                                     const std::vector<Transfer>& sent);

/// A table with a row a rank, a column a phase, and totals. Where `metered` differs from `expected`
/// both stand. `titles`: of the columns.
std::string ledger_table(std::int64_t ranks, const std::vector<std::string>& titles,
                         const std::vector<Transfer>& expected,
                         const std::vector<Transfer>& metered, const Detail& detail);

/// The same of a plan's steps.
std::string ledger_table(const ProductCase& subject, const Plan& plan,
                         const std::vector<Transfer>& expected,
                         const std::vector<Transfer>& metered, const Detail& detail);

}  // namespace shardcheck::tools
