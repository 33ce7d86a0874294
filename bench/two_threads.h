#pragma once

/// What the machine's memory allows for a collective in one process: two plain threads that share
/// the work, each reading every member's buffer and writing every member's result straight away.
/// No messages, no bookkeeping, nobody to tell about it: the bound that a runtime is held against.
///
///     TwoThreads threads;
///     threads.run([&](int half) { reduce(buffers, results, begin(half), end(half)); });
///
/// One thread calls run() and does half 0 itself.

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <thread>

namespace shardcheck::bench {

class TwoThreads {
 public:
  TwoThreads();
  ~TwoThreads();
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;

  /// Returns when work(0) and work(1) have.
  void run(const std::function<void(int)>& work);

  /// The other thread sleeps from now on, so as not to be in the way of what is timed next.
  void rest();

 private:
  void serve();

  const std::function<void(int)>* work_ = nullptr;
  alignas(64) std::atomic<unsigned> started_ = 0;
  alignas(64) std::atomic<unsigned> finished_ = 0;
  std::atomic<bool> rests_ = false;
  std::atomic<bool> ends_ = false;
  std::thread other_;
};

/// results[r][n] = buffers[0][n] + buffers[1][n] + …, n in [begin, end), for each r. Large results
/// are stored past the caches. Requires: all aligned to 64 bytes, begin and end multiples of 16.
void sum_into(std::span<const float* const> buffers, std::span<float* const> results,
              std::size_t begin, std::size_t end);

/// results[r][n] = source[n], likewise.
void copy_into(const float* source, std::span<float* const> results, std::size_t begin,
               std::size_t end);

}  // namespace shardcheck::bench
