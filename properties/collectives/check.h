#pragma once

/// The road for collectives alone: one case, one backend, one verdict.
///
///     Verdict verdict = check(*parse_calls(line), backend);
///
/// A collective has no plan and no local product: plan and coverage are never observed.

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/properties/check.h>

namespace shardcheck {

/// As check() for products. A case that every backend must refuse is `illegal`, and isn't run.
Verdict check(const CallsCase& subject, Backend& backend,
              const CheckOptions& options = {});

/// The relation of a signature "metamorphic/slices_bits"; nothing for other invariants.
std::optional<CollectiveRelation> collective_relation_of(std::string_view signature);

}  // namespace shardcheck
