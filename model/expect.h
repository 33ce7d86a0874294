#pragma once

/// The model's one entry: everything that must hold for a case.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/observation.h>

#include "ledger.h"
#include "ownership.h"
#include "plan_rules.h"
#include "temporaries.h"
#include "vacuity.h"
#include "values.h"

namespace shardcheck::model {

struct Expectation {
  /// The case must outlive it. Neither copied nor moved: `values` refers to `plan` where it stands.
  Expectation(const Case& subject, ResolvedPlan resolved, LocalOrder local_order);
  Expectation(const Expectation&) = delete;
  Expectation& operator=(const Expectation&) = delete;

  ResolvedPlan plan;
  std::vector<Shard> owned;    ///< by rank: the elements of C that it must return
  std::vector<Transfer> sent;  ///< see ledger.h
  std::vector<std::int64_t> temporary_bytes_max;  ///< by rank, see temporaries.h
  Vacuity vacuity;
  Values values;  ///< refers to the case and to `plan`
};

/// Why the case can't be meant: a plan that isn't legal, a layout that no plan reaches. The case
/// must outlive the expectation. `local_order`: what whoever runs it promises.
tl::expected<std::unique_ptr<Expectation>, std::string> expect(
    const Case& subject, LocalOrder local_order = LocalOrder::ascending);

}  // namespace shardcheck::model
