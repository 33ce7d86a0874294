#include "thread_pool.h"

#include <unistd.h>

#include <utility>

namespace shardcheck::impl {

ThreadPool::~ThreadPool() {
  forget_threads_of_parent();
  for (const auto& worker : workers_) {
    {
      const std::lock_guard lock(worker->mutex);
      worker->ends = true;
    }
    worker->has_work.notify_one();
    worker->thread.join();
  }
}

void ThreadPool::run(std::int64_t count, ThreadBody& body, std::chrono::milliseconds limit) {
  forget_threads_of_parent();
  grow(count);
  {
    const std::lock_guard lock(mutex_);
    running_ = count;
  }
  for (std::int64_t index = 0; index < count; ++index) {
    Worker& worker = *workers_[static_cast<std::size_t>(index)];
    {
      const std::lock_guard lock(worker.mutex);
      worker.body = &body;
    }
    worker.has_work.notify_one();
  }
  std::unique_lock lock(mutex_);
  const auto all_have_returned = [&] { return running_ == 0; };
  if (is_done_.wait_for(lock, limit, all_have_returned)) return;
  lock.unlock();
  body.time_out();
  lock.lock();
  is_done_.wait(lock, all_have_returned);
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

void ThreadPool::grow(std::int64_t count) {
  while (static_cast<std::int64_t>(workers_.size()) < count) {
    const auto index = static_cast<std::int64_t>(workers_.size());
    Worker& worker = *workers_.emplace_back(std::make_unique<Worker>());
    worker.thread = std::thread([this, &worker, index] { serve(worker, index); });
  }
}

void ThreadPool::serve(Worker& worker, std::int64_t index) {
  for (;;) {
    ThreadBody* body = nullptr;
    {
      std::unique_lock lock(worker.mutex);
      worker.has_work.wait(lock, [&] { return worker.body != nullptr || worker.ends; });
      if (worker.body == nullptr) return;
      body = std::exchange(worker.body, nullptr);
    }
    body->run_thread(index);
    // Under the lock: run() may return, and the pool die, as soon as it is let go.
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) is_done_.notify_one();
  }
}

}  // namespace shardcheck::impl
