#pragma once

/// The interface that an implementation fills to be checked.
///
/// For the implementer
///   provide   for each rank: the elements that the case gives it, in dtype out, written densely
///             from the start of its output, and their coordinates in Observation::owned; how the
///             run ended. Kinds of case that it doesn't know: serves() says so.
///   may       offer evidence (steps, products, ledger, ...). Nobody is failed for keeping quiet:
///             an invariant without evidence is `not observed`.
///   may rely  the memory is valid during run() only; inputs hold exactly what the case gives that
///             rank, dense; the case is valid and of a kind that it serves.
///   checked   inputs unchanged, nothing written beyond the reported elements, everything reported
///             written, and every invariant in docs/invariants.md.
///   promises  only what promises() says is held against the backend.
///   refuse    a case that it can't run (an ordered operator over a ring, a dtype that it hasn't)
///             ends `unsupported`, on all ranks alike.

#include <cstddef>
#include <span>
#include <string_view>

#include "case.h"
#include "observation.h"
#include "promises.h"

namespace shardcheck {

/// One rank's memory. All of it belongs to the harness.
struct RankMemory {
  /// Of a product: A's shard and B's: rows held × columns held, dtype in, row-major in the order of
  /// the layout's index lists. Of calls: one, the rank's input; in place it lies in `output`, from
  /// its start, or, for an all_gather, where the member's block stands among the whole vector in
  /// the order of the blocks.
  std::span<const std::span<const std::byte>> inputs;
  /// Room for more than the rank may return, so that its size tells nothing: of a product for all
  /// i·j elements of C, of calls for what any member of the group may get.
  std::span<std::byte> output;
};

struct Request {
  const Case& subject;
  std::span<const RankMemory> ranks;  ///< by rank
  bool trace = false;                 ///< record messages and partials, for explanations
};

/// One thread calls run(); what run() does inside is its own affair. run() doesn't throw.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  /// Whether run() may be asked for cases of that kind.
  virtual bool serves(Kind kind) const = 0;
  virtual Promises promises() const = 0;
  virtual Observation run(const Request& request) = 0;
};

}  // namespace shardcheck
