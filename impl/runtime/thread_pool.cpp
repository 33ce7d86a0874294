#include "thread_pool.h"

#include <unistd.h>

#include <system_error>

namespace shardcheck::impl {
namespace {

/// How often a thread without work lets others run before it sleeps. Where one world follows the
/// other, sleeping and being woken would take most of the time.
constexpr int yields_before_sleep = 50;

template <typename Condition>
bool yield_until(const Condition& holds) {
  for (int yield = 0; yield < yields_before_sleep; ++yield) {
    if (holds()) return true;
    std::this_thread::yield();
  }
  return holds();
}

}  // namespace

ThreadPool::~ThreadPool() {
  forget_threads_of_parent();
  body_ = nullptr;
  for (const auto& worker : workers_) hand_job_to(*worker);
  for (const auto& worker : workers_) worker->thread.join();
}

bool ThreadPool::run(std::int64_t count, ThreadBody& body, std::chrono::milliseconds limit) {
  forget_threads_of_parent();
  if (!grow(count)) return false;
  body_ = &body;
  running_ = count;
  for (std::int64_t index = 0; index < count; ++index) {
    hand_job_to(*workers_[static_cast<std::size_t>(index)]);
  }
  const auto all_have_returned = [&] { return running_.load(std::memory_order_acquire) == 0; };
  if (yield_until(all_have_returned)) return true;
  std::unique_lock lock(mutex_);
  if (is_done_.wait_for(lock, limit, all_have_returned)) return true;
  lock.unlock();
  body.time_out();
  lock.lock();
  is_done_.wait(lock, all_have_returned);
  return true;
}

/// A forked child has its parent's memory but not its threads: it can neither use nor join them.
void ThreadPool::forget_threads_of_parent() {
  const auto process = static_cast<std::int64_t>(getpid());
  if (process_ != process) {
    for (auto& worker : workers_) static_cast<void>(worker.release());
    workers_.clear();
  }
  process_ = process;
}

bool ThreadPool::grow(std::int64_t count) {
  while (static_cast<std::int64_t>(workers_.size()) < count) {
    const auto index = static_cast<std::int64_t>(workers_.size());
    Worker& worker = *workers_.emplace_back(std::make_unique<Worker>());
    try {
      worker.thread = std::thread([this, &worker, index] { serve(worker, index); });
    } catch (const std::system_error&) {
      workers_.pop_back();
      return false;
    }
  }
  return true;
}

void ThreadPool::hand_job_to(Worker& worker) {
  worker.jobs.fetch_add(1, std::memory_order_release);
  worker.jobs.notify_one();
}

void ThreadPool::serve(Worker& worker, std::int64_t index) {
  for (std::uint32_t jobs_done = 0;; ++jobs_done) {
    const auto has_job = [&] { return worker.jobs.load(std::memory_order_acquire) != jobs_done; };
    if (!yield_until(has_job)) worker.jobs.wait(jobs_done, std::memory_order_acquire);
    if (body_ == nullptr) return;
    body_->run_thread(index);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) > 1) continue;
    const std::lock_guard lock(mutex_);
    is_done_.notify_one();
  }
}

}  // namespace shardcheck::impl
