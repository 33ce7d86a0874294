#pragma once

/// What the text of a case of collectives must know of them: which may follow which, and how many
/// values an input has. (docs/collectives.md, "Meaning", "In a row")

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calls_case.h"

namespace shardcheck {

/// Why `next` can't start from what the calls before it leave, as what was expected instead.
std::optional<std::string> cannot_follow(const std::vector<Call>& before, Collective next);

/// Whether collectives may reduce in `acc` what comes as `in`: integers as they are, floats in any
/// that holds them.
bool may_accumulate(Dtype in, Dtype acc);

/// Whether the operator is one for elements of this dtype.
bool is_for(Operator op, Dtype in);

/// Whether the order of such a case may be free: one collective that reduces.
bool may_be_in_any_order(const std::vector<Call>& calls);

/// Elements of the rank's input. Requires: the split names as many parts as there are members.
std::int64_t input_elements(const CallsCase& subject, std::int64_t rank);

/// The rank's number in its group: its place in rank order.
std::int64_t member_of(const CallsCase& subject, std::int64_t rank);

}  // namespace shardcheck
