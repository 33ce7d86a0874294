#pragma once

/// The road: one case, one backend, one verdict. Property tests, fuzz targets, replay, the
/// minimiser and a user's own test all call this.
///
///     Verdict verdict = check(*parse(line), backend);

#include <cstdint>
#include <optional>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/product_case.h>
#include <shardcheck/properties/collectives/relation.h>
#include <shardcheck/properties/metamorphic/relation.h>

#include "verdict.h"

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
  /// (judge/tokens.h). Of products alone.
  bool tokens = false;
  Relating relating = Relating::none;
  /// This relation alone, if it applies, whatever `relating` says: the one that a failure named.
  std::optional<Relation> relation = std::nullopt;
  std::optional<CollectiveRelation> collective_relation = std::nullopt;  ///< likewise
};

/// Whatever there is to run beside one case.
inline constexpr CheckOptions every_run{
    .repeat = true, .tokens = true, .relating = Relating::every};

/// One thread. Whatever the backend does becomes a finding; nothing unwinds through here.
/// Requires: this thread rounds to nearest and keeps subnormal numbers (case/float_environment.h).
Verdict check(const ProductCase& subject, Backend& backend, const CheckOptions& options = {});

}  // namespace shardcheck
