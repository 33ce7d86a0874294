#pragma once

/// Which case number n of seed s is: a pure function, so that however the cases are split among
/// workers, the run is the same.

#include <cstdint>
#include <string_view>

#include <shardcheck/model/case/case.h>

#include "scope.h"

namespace shardcheck {

/// Of the kinds that the scopes leave: where both are left, three cases in ten are collectives.
/// Requires: scopes_of() gave them.
Case case_number(std::uint64_t seed, std::int64_t number, const Scopes& scopes);

/// One case in 20, chosen by its line, is run a second time under another schedule.
bool is_repeated(std::string_view line);

/// One case in 20, another, is compared with a related case.
bool is_related(std::string_view line);

/// One case in four, none of these, is run in i64 too if nothing else tells of coverage.
bool is_run_in_tokens(std::string_view line);

/// Whether the restrictions leave i64, without which there are no such runs: a backend need not
/// refuse what it is never asked. Requires: they are valid.
bool allows_tokens(const Restrictions& restrictions);

}  // namespace shardcheck
