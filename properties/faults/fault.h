#pragma once

/// Planted mistakes: each wraps a correct backend and gets one thing wrong, and names the invariant
/// that must see it. They show that the judge can fail.
///
///     affects(faults().front(), Kind::calls)

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/properties/judge/verdict.h>

namespace shardcheck {

struct Fault {
  std::string_view name;  ///< snake_case
  std::string_view meaning;
  std::string_view origin;  ///< the public report or the class of mistakes it stands for
  Invariant caught_by = Invariant::value;
  std::vector<Kind> kinds;  ///< in whose cases it shows; ascending, one at least
  /// A backend with the fault, which serves these kinds alone. Cases that show it, one a kind, are
  /// in the tests.
  std::function<std::unique_ptr<Backend>()> make;
};

/// Every fault, in a fixed order: what shows in products, then what shows in calls alone.
const std::vector<Fault>& faults();

/// Faults that end the process, never come back, or take more memory than they may: only who runs a
/// backend in a process of its own, under limits, as the `shardcheck` command does, lives to see
/// them. Kinds `crash`, `timeout` and `threw`.
const std::vector<Fault>& process_faults();

/// Whether the fault shows in cases of that kind.
bool affects(const Fault& fault, Kind kind);

}  // namespace shardcheck
