#include "two_threads.h"

#include <immintrin.h>

#include <algorithm>

namespace shardcheck::bench {
namespace {

/// Where both threads' results no longer fit a core's own caches.
constexpr std::size_t streamed_from_bytes = std::size_t{1} << 20;
void wait_until_differs(const std::atomic<unsigned>& count, unsigned seen) {
  while (count.load(std::memory_order_acquire) == seen) _mm_pause();
}

bool streams(std::span<float* const> results, std::size_t count) {
  return results.size() * count * sizeof(float) >= streamed_from_bytes;
}

template <bool is_streamed>
__attribute__((target("avx2"))) void sum(std::span<const float* const> buffers,
                                         std::span<float* const> results, std::size_t begin,
                                         std::size_t end) {
  for (std::size_t at = begin; at < end; at += 16) {
    __m256 low = _mm256_load_ps(buffers[0] + at);
    __m256 high = _mm256_load_ps(buffers[0] + at + 8);
    for (std::size_t rank = 1; rank < buffers.size(); ++rank) {
      low = _mm256_add_ps(low, _mm256_load_ps(buffers[rank] + at));
      high = _mm256_add_ps(high, _mm256_load_ps(buffers[rank] + at + 8));
    }
    for (float* result : results) {
      if constexpr (is_streamed) {
        _mm256_stream_ps(result + at, low);
        _mm256_stream_ps(result + at + 8, high);
      } else {
        _mm256_store_ps(result + at, low);
        _mm256_store_ps(result + at + 8, high);
      }
    }
  }
  if constexpr (is_streamed) _mm_sfence();
}

}  // namespace

TwoThreads::TwoThreads() : other_([this] { serve(); }) {}

TwoThreads::~TwoThreads() {
  ends_ = true;
  started_.fetch_add(1, std::memory_order_release);
  started_.notify_one();
  other_.join();
}

void TwoThreads::run(const std::function<void(int)>& work) {
  work_ = &work;
  rests_ = false;
  const unsigned finished = finished_.load(std::memory_order_relaxed);
  started_.fetch_add(1, std::memory_order_release);
  started_.notify_one();
  work(0);
  wait_until_differs(finished_, finished);
}

void TwoThreads::rest() {
  rests_ = true;
  started_.fetch_add(1, std::memory_order_release);
}

void TwoThreads::serve() {
  for (unsigned seen = 0;; ++seen) {
    if (rests_) started_.wait(seen);
    wait_until_differs(started_, seen);
    if (ends_) return;
    if (rests_) continue;
    (*work_)(1);
    finished_.fetch_add(1, std::memory_order_release);
  }
}

void sum_into(std::span<const float* const> buffers, std::span<float* const> results,
              std::size_t begin, std::size_t end) {
  if (streams(results, end - begin)) return sum<true>(buffers, results, begin, end);
  sum<false>(buffers, results, begin, end);
}

void copy_into(const float* source, std::span<float* const> results, std::size_t begin,
               std::size_t end) {
  const float* const buffers[] = {source};
  sum_into(buffers, results, begin, end);
}

}  // namespace shardcheck::bench
