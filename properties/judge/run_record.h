#pragma once

/// One run of one case on one backend, with everything that the harness saw besides what the
/// backend told. The judge, `explain` and the readers of known answers all start from it.
///
///     Arena arena;
///     RunRecord run = run_once(c, **model::expect(c), backend, arena, {.trace = true});
///     run.bits[0]    // rank 0's elements, in the order of run.observation.owned[0]

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/expectation/expectation.h>

#include "arena.h"

namespace shardcheck {

/// Something done to memory that wasn't the backend's to change.
struct Damage {
  enum class Kind : std::uint8_t {
    input_changed,      ///< `index`: the element of `buffer`
    guard_overwritten,  ///< `index`: bytes from `buffer`; see GuardedMemory::GuardDamage
    written_outside     ///< `index`: the element of the output, beyond those reported
  };

  Kind kind = Kind::input_changed;
  std::int64_t rank = 0;
  std::string_view buffer{};  ///< "A", as a person knows it
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
  std::uint64_t salt = 0;  ///< 1 gives other poison than 0, see Poison
};

/// Runs a backend. An exception that leaves it becomes the ending `threw`; the float environment is
/// put right again, for the model computes on this thread, too. What run() is asked is `asked`,
/// which may differ from the expectation's case in its schedule. The arena is filled anew; what it
/// held before is gone.
RunRecord run_once(const Case& asked, const model::Expectation& expectation, Backend& backend,
                   Arena& arena, const RunOptions& options = {});

}  // namespace shardcheck
