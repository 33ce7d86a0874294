#pragma once

/// The road: one case, one backend, one verdict. Property tests, fuzz targets, replay, the
/// minimiser and a user's own test all call this.
///
///     Verdict verdict = check(*parse(line), backend);

#include <cstdint>
#include <optional>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/case.h>

#include "judge/relation.h"
#include "judge/verdict.h"

namespace shardcheck {

/// Which related cases are run too and compared (invariant `metamorphic`).
enum class Relating : std::uint8_t {
  none,
  drawn,  ///< one, drawn by the case line from those that apply: about the cost of another case
  every   ///< all that apply
};

struct CheckOptions {
  /// Run the case a second time under another schedule and compare (invariant `determinism`).
  bool repeat = false;
  /// If nothing told of coverage, run the case in i64 too, with data that hide nothing
  /// (kinds/product/tokens.h). Of products alone.
  bool tokens = false;
  Relating relating = Relating::none;
  /// This relation alone, if it applies, whatever `relating` says: the one that a failure named.
  std::optional<Relation> relation = std::nullopt;
};

/// Whatever there is to run beside one case.
inline constexpr CheckOptions every_run{
    .repeat = true, .tokens = true, .relating = Relating::every};

/// One thread. Whatever the backend does becomes a finding; nothing unwinds through here. A case of
/// a kind that the backend doesn't serve is `unsupported`, one that can't be meant is `illegal`;
/// neither is run.
/// Requires: this thread rounds to nearest and keeps subnormal numbers (case/float_environment.h).
Verdict check(const Case& subject, Backend& backend, const CheckOptions& options = {});

}  // namespace shardcheck
