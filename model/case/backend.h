#pragma once

/// The interface that an implementation fills to be checked.
///
/// For the implementer
///   provide   for each rank: the elements of C that the case's layout gives it, in dtype out,
///             written densely from the start of its output, and their coordinates in
///             Observation::owned; how the run ended.
///   may       offer evidence (steps, products, ledger, ...). Nobody is failed for keeping quiet:
///             an invariant without evidence is `not observed`.
///   may rely  the memory is valid during run() only; A's and B's shards hold exactly what the
///             case's layout gives that rank, dense, row-major in the order of the layout's index
///             lists; the case is valid.
///   checked   inputs unchanged, nothing written beyond the reported elements, everything reported
///             written, and every invariant in docs/invariants.md.
///   promises  only what promises() says is held against the backend.

#include <cstddef>
#include <span>
#include <string_view>

#include "case.h"
#include "observation.h"

namespace shardcheck {

/// One rank's memory. All of it belongs to the harness.
struct RankMemory {
  std::span<const std::byte> a;  ///< A's shard: rows held × columns held, dtype in, row-major
  std::span<const std::byte> b;  ///< B's shard, likewise
  std::span<std::byte> c;  ///< room for i·j elements of dtype out, so that its size tells nothing
};

struct Request {
  const Case& subject;
  std::span<const RankMemory> ranks;  ///< by rank
  bool trace = false;                 ///< record messages and partials, for explanations
};

struct Promises {
  bool declared_order = true;  ///< sums across ranks follow the algorithm's documented tree
  bool local_order = true;     ///< a local product adds in ascending position of its k list
  bool equal_replicas = true;  ///< replicas agree bit for bit
};

/// One thread calls run(); what run() does inside is its own affair. run() doesn't throw.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;
  virtual Promises promises() const = 0;
  virtual Observation run(const Request& request) = 0;
};

}  // namespace shardcheck
