#pragma once

/// The road: one case, one backend, one verdict. Property tests, fuzz targets, replay, the
/// minimiser and a user's own test all call this.
///
///     Verdict verdict = check(*parse(line), backend);

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/case.h>

#include "verdict.h"

namespace shardcheck {

struct CheckOptions {
  /// Run the case a second time under another schedule and compare (invariant `determinism`).
  bool repeat = false;
};

/// One thread. Whatever the backend does becomes a finding; nothing unwinds through here.
Verdict check(const Case& subject, Backend& backend, const CheckOptions& options = {});

}  // namespace shardcheck
