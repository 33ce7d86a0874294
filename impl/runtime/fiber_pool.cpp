#include "fiber_pool.h"

#include <cxxabi.h>
#include <sanitizer/common_interface_defs.h>

#include <array>
#include <cstring>
#include <utility>

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>

#include <shardcheck/model/case/contract.h>

#include "runtime_limits.h"
#include "sanitizer.h"

namespace shardcheck::impl {
namespace {

using Context = boost::context::fiber;

/// What the C++ runtime keeps a thread about exceptions: those being handled and the number in
/// flight. Each fiber needs its own, or `throw;` in one rank rethrows another rank's exception.
struct ExceptionGlobals {
  std::array<std::byte, sizeof(void*) + sizeof(void*)> bytes{};
};

/// Puts `next` in force and returns what was.
ExceptionGlobals exchange_exception_globals(const ExceptionGlobals& next) {
  void* const in_force = abi::__cxa_get_globals();
  ExceptionGlobals before;
  std::memcpy(before.bytes.data(), in_force, before.bytes.size());
  std::memcpy(in_force, next.bytes.data(), next.bytes.size());
  return before;
}

/// A null `fake_stack` says that the stack left is never entered again.
void announce_switch(void** fake_stack, const void* stack, std::size_t stack_bytes) {
  if constexpr (under_address_sanitizer) {
    __sanitizer_start_switch_fiber(fake_stack, stack, stack_bytes);
  }
}

void confirm_switch(void* fake_stack, const void** stack_left, std::size_t* stack_left_bytes) {
  if constexpr (under_address_sanitizer) {
    __sanitizer_finish_switch_fiber(fake_stack, stack_left, stack_left_bytes);
  }
}

}  // namespace

struct FiberPool::Fiber {
  Context context;            ///< the fiber itself, while it is suspended
  Context resumer;            ///< who resumed it, while it runs
  FiberBody* body = nullptr;  ///< null: between worlds
  bool ends = false;
  void* fake_stack = nullptr;
  const void* stack = nullptr;  ///< the lowest address
  std::size_t stack_bytes = 0;
  ExceptionGlobals exceptions;
};

FiberPool::FiberPool() = default;

FiberPool::~FiberPool() {
  for (std::size_t index = 0; index < fibers_.size(); ++index) {
    SHARDCHECK_REQUIRE(fibers_[index]->body == nullptr, "a suspended fiber is never destroyed");
    fibers_[index]->ends = true;
    resume(static_cast<std::int64_t>(index));
  }
}

void FiberPool::grow(std::int64_t count) {
  while (static_cast<std::int64_t>(fibers_.size()) < count) {
    const auto index = static_cast<std::int64_t>(fibers_.size());
    // It counts as a fiber once it is whole: there may be no memory for its stack.
    auto made = std::make_unique<Fiber>();
    Fiber& fiber = *made;
    fibers_.reserve(fibers_.size() + 1);
    boost::context::protected_fixedsize_stack allocator(runtime_limits::fiber_stack_bytes);
    const boost::context::stack_context stack = allocator.allocate();
    fiber.stack_bytes = stack.size;
    fiber.stack = static_cast<const std::byte*>(stack.sp) - stack.size;
    fiber.context =
        Context(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                allocator, [this, &fiber, index](Context&& resumer) {
                  confirm_switch(nullptr, &resumer_stack_, &resumer_stack_bytes_);
                  fiber.resumer = std::move(resumer);
                  while (!fiber.ends) {
                    fiber.body->run_fiber(index);
                    fiber.body = nullptr;
                    leave(fiber);
                  }
                  announce_switch(nullptr, resumer_stack_, resumer_stack_bytes_);
                  return std::move(fiber.resumer);
                });
    fibers_.push_back(std::move(made));
  }
}

void FiberPool::start(std::int64_t index, FiberBody& body) {
  Fiber& fiber = *fibers_[static_cast<std::size_t>(index)];
  SHARDCHECK_REQUIRE(fiber.body == nullptr, "a fiber runs one body at a time");
  fiber.body = &body;
}

void FiberPool::resume(std::int64_t index) {
  Fiber& fiber = *fibers_[static_cast<std::size_t>(index)];
  const ExceptionGlobals mine = exchange_exception_globals(fiber.exceptions);
  void* fake_stack = nullptr;
  announce_switch(&fake_stack, fiber.stack, fiber.stack_bytes);
  fiber.context = std::move(fiber.context).resume();
  confirm_switch(fake_stack, nullptr, nullptr);
  fiber.exceptions = exchange_exception_globals(mine);
}

void FiberPool::suspend(std::int64_t index) { leave(*fibers_[static_cast<std::size_t>(index)]); }

void FiberPool::leave(Fiber& fiber) {
  announce_switch(&fiber.fake_stack, resumer_stack_, resumer_stack_bytes_);
  fiber.resumer = std::move(fiber.resumer).resume();
  confirm_switch(fiber.fake_stack, &resumer_stack_, &resumer_stack_bytes_);
}

}  // namespace shardcheck::impl
