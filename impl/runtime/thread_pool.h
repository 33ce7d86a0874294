#pragma once

/// The calling thread and others that wait for work, kept from world to world: starting one costs
/// as much as running a whole small world on threads that exist.
///
///     pool.run(4, body, patience);   // body.run_thread(0) here, 1 to 3 each on a thread of its
///     own
///
/// One thread calls it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "signal.h"

namespace shardcheck::impl {

/// What the threads run.
class ThreadBody {
 public:
  virtual ~ThreadBody() = default;
  /// Called on thread number `index`; 0 is the calling one. Must not throw.
  virtual void run_thread(std::int64_t index) noexcept = 0;
};

class ThreadPool {
 public:
  ThreadPool() = default;
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Returns when `count` calls of body.run_thread() have returned. False: the system has no thread
  /// for each of them, and none was called. `patience`: of the calling thread, for the others.
  bool run(std::int64_t count, ThreadBody& body, Patience patience);

 private:
  struct Worker {
    Signal jobs;  ///< handed to this thread so far
    sync::Thread thread;
  };

  void forget_threads_of_parent();
  bool grow(std::size_t worker_count);
  void serve(Worker& worker, std::int64_t index);

  std::vector<std::unique_ptr<Worker>> workers_;  ///< of body.run_thread(1) and so on
  std::int64_t process_ = -1;                     ///< in which the workers run
  ThreadBody* body_ = nullptr;                    ///< of the job; null: the threads are to end
  sync::Atomic<std::int64_t> running_ = 0;        ///< workers
  Signal returns_;                                ///< of all workers
};

}  // namespace shardcheck::impl
