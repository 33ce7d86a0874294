#pragma once

/// The interface that an implementation of collectives fills to be checked (docs/collectives.md).
///
/// For the implementer
///   provide   for each rank: the elements that the last call gives it, in dtype in, written
///             densely from the start of its output in the documented order, and their coordinates
///             in Observation::owned; how the run ended.
///   may       offer evidence (ledger, temporaries, left-over messages), a phase being a call,
///             numbered from 0. Nobody is failed for keeping quiet.
///   may rely  the memory is valid during run() only; inputs hold exactly what docs/collectives.md
///             gives that rank; the case is valid.
///   checked   inputs unchanged, nothing written beyond the reported elements, everything reported
///             written, and every invariant that docs/invariants.md names for collectives.
///   promises  only what promises() says is held against the backend.
///   refuse    a case that an algorithm can't serve (an ordered operator over a ring) ends
///             `unsupported`, on all ranks alike.

#include <cstddef>
#include <span>
#include <string_view>

#include "backend.h"
#include "collective_case.h"
#include "observation.h"

namespace shardcheck {

/// One rank's memory. All of it belongs to the harness.
struct CollectiveMemory {
  /// The rank's input, dense. In place it lies in `output`: from its start, or, for an all_gather,
  /// where the member's block stands among the whole vector in the order of the blocks.
  std::span<const std::byte> input;
  /// Room for every element that any member of the group may get, so that its size tells nothing.
  std::span<std::byte> output;
};

struct CollectiveRequest {
  const CollectiveCase& subject;
  std::span<const CollectiveMemory> ranks;  ///< by rank
  bool trace = false;                       ///< record messages, for explanations
};

/// One thread calls run(); what run() does inside is its own affair. run() doesn't throw.
class CollectiveBackend {
 public:
  virtual ~CollectiveBackend() = default;

  virtual std::string_view name() const = 0;
  virtual Promises promises() const = 0;
  virtual Observation run(const CollectiveRequest& request) = 0;
};

}  // namespace shardcheck
