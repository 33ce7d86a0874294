#pragma once

/// System threads that wait for work, kept from world to world: starting one costs as much as
/// running a whole small world on threads that exist.
///
///     pool.run(4, body, limit);   // body.run_thread(0) .. run_thread(3), each on its own thread
///
/// One thread calls it; that thread waits meanwhile.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace shardcheck::impl {

/// What the threads run.
class ThreadBody {
 public:
  virtual ~ThreadBody() = default;
  /// Called on thread number `index`. Must not throw.
  virtual void run_thread(std::int64_t index) noexcept = 0;
  /// Called on the calling thread when the limit has passed; is to make every run_thread() return.
  virtual void time_out() noexcept = 0;
};

class ThreadPool {
 public:
  ThreadPool() = default;
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Returns when `count` calls of body.run_thread() have returned. False: the system has no thread
  /// for each of them, and none was called.
  bool run(std::int64_t count, ThreadBody& body, std::chrono::milliseconds limit);

 private:
  struct Worker {
    std::atomic<std::uint32_t> jobs = 0;  ///< handed to this thread so far
    std::thread thread;
  };

  void forget_threads_of_parent();
  bool grow(std::int64_t count);
  static void hand_job_to(Worker& worker);
  void serve(Worker& worker, std::int64_t index);

  std::vector<std::unique_ptr<Worker>> workers_;
  std::int64_t process_ = -1;   ///< in which the workers run
  ThreadBody* body_ = nullptr;  ///< of the job; null: the threads are to end
  std::atomic<std::int64_t> running_ = 0;
  std::mutex mutex_;  ///< so that the last thread's signal isn't missed
  std::condition_variable is_done_;
};

}  // namespace shardcheck::impl
