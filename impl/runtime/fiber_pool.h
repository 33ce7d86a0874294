#pragma once

/// Stacks on which ranks run as fibers of one thread, kept from world to world.
///
/// A fiber is made once and then waits for its next body; a world of four ranks costs no allocation
/// and no system call. Keeping whole fibers, not stacks alone, also keeps AddressSanitizer's fake
/// stacks, whose creation costs more than a world.
///
///     pool.grow(4); pool.start(2, body); pool.resume(2);   // until body suspends or returns
///
/// One thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace shardcheck::impl {

/// What a fiber runs.
class FiberBody {
 public:
  virtual ~FiberBody() = default;
  /// Called on the fiber. Must not throw.
  virtual void run_fiber(std::int64_t index) noexcept = 0;
};

class FiberPool {
 public:
  FiberPool();
  /// Requires: every fiber's body has returned.
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// At least `count` fibers afterwards.
  void grow(std::int64_t count);

  /// The next resume() of this fiber runs the body from its start.
  /// Requires: the body before it has returned.
  void start(std::int64_t index, FiberBody& body);

  /// Runs a fiber until it suspends itself or its body returns. Called outside every fiber.
  void resume(std::int64_t index);

  /// Back to the caller of resume(). Called on this fiber; returns at the next resume().
  void suspend(std::int64_t index);

 private:
  struct Fiber;

  void leave(Fiber& fiber);

  std::vector<std::unique_ptr<Fiber>> fibers_;
  // The stack of resume()'s caller, as AddressSanitizer wants to know it.
  const void* resumer_stack_ = nullptr;
  std::size_t resumer_stack_bytes_ = 0;
};

}  // namespace shardcheck::impl
