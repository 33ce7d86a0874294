#pragma once

/// A rank's temporary memory: taken in order, given back together, and kept from one run to the
/// next, so that a run of small cases allocates nothing.
///
///     Workspace::Mark mark = workspace.mark();
///     std::byte* buffer = workspace.take(64);   // aligned for every element and vector type
///     std::byte* list = workspace.take_for_lists(64);   // not counted
///     workspace.release(mark);
///
/// Source: docs/plans.md, "Temporaries".
///
/// One rank uses it at a time.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <shardcheck/impl/runtime/endpoint.h>

namespace shardcheck::impl {

class Workspace {
 public:
  struct Mark {
    std::size_t chunk = 0;
    std::int64_t used = 0;
    std::int64_t in_use = 0;
  };

  /// Gives everything back, and what was large to the system; from now on tells `endpoint` how
  /// much is in use.
  void begin(Endpoint& endpoint);

  /// `bytes` bytes, not initialised; they stay where they are until released.
  std::byte* take(std::int64_t bytes);
  /// The same for index lists and book-keeping, which hold no elements and aren't counted.
  std::byte* take_for_lists(std::int64_t bytes);

  Mark mark() const { return {chunk_, used_, in_use_}; }
  /// Gives back all that was taken since `mark`.
  void release(const Mark& mark);

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::byte* start = nullptr;  ///< the first aligned byte
    std::int64_t bytes = 0;
  };

  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0;    ///< at work
  std::int64_t used_ = 0;    ///< of that chunk
  std::int64_t in_use_ = 0;  ///< bytes for elements, asked for and not given back
  Endpoint* endpoint_ = nullptr;
};

}  // namespace shardcheck::impl
