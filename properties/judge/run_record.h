#pragma once

/// One run of one case on one backend, with everything that the harness saw besides what the
/// backend told. The judge, `explain` and the readers of known answers all start from it.
///
///     Arena arena;
///     RunRecord run = run_once(c, initial_state(c), backend, arena, {.trace = true});
///     run.bits[0]    // rank 0's elements, in the order of run.observation.owned[0]

#include <cstdint>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/plan_rules.h>

#include "arena.h"

namespace shardcheck {

/// Something done to memory that wasn't the backend's to change.
struct Damage {
  enum class Kind : std::uint8_t {
    input_changed,      ///< `index`: the element of the shard of `tensor`
    guard_overwritten,  ///< `index`: bytes from the buffer of `tensor`; see Arena::GuardDamage
    written_outside     ///< `index`: the element of the output, beyond those reported
  };

  Kind kind = Kind::input_changed;
  std::int64_t rank = 0;
  Tensor tensor = Tensor::c;
  std::int64_t index = 0;
};

struct RunRecord {
  Observation observation;
  /// By rank: bits of the reported elements, in dtype out, in the order of observation.owned; as
  /// many as the output has room for.
  std::vector<std::vector<Bits>> bits;
  std::vector<Damage> damage;  ///< ascending by rank
  /// By rank: positions among the reported elements that still hold poison, ascending.
  std::vector<std::vector<std::int64_t>> untouched;
  /// What the backend made of this thread's float environment; put right again since. Empty:
  /// nothing.
  std::string_view float_problem;
};

struct RunOptions {
  bool trace = false;
  std::uint64_t salt = 0;  ///< another one gives other poison
};

/// `start` is model::initial_state of the case. An exception that leaves the backend becomes the
/// ending `threw`. The arena is filled anew; what it held before is gone.
RunRecord run_once(const Case& subject, const model::PlanState& start, Backend& backend,
                   Arena& arena, const RunOptions& options = {});

}  // namespace shardcheck
