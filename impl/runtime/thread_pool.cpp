#include "thread_pool.h"

#include <unistd.h>

#include <new>
#include <system_error>

namespace shardcheck::impl {
namespace {

/// Of a thread without work. Where one world follows the other, sleeping and being woken would take
/// most of the time; but soon whoever has something to do has the core first.
constexpr Patience patience_for_work{100, 50};

}  // namespace

ThreadPool::~ThreadPool() {
  forget_threads_of_parent();
  body_ = nullptr;
  for (const auto& worker : workers_) worker->jobs.notify();
  for (const auto& worker : workers_) worker->thread.join();
}

bool ThreadPool::run(std::int64_t count, ThreadBody& body, Patience patience) {
  forget_threads_of_parent();
  const auto worker_count = static_cast<std::size_t>(count - 1);
  if (!grow(worker_count)) return false;
  body_ = &body;
  running_.store(count - 1, std::memory_order_relaxed);
  for (std::size_t index = 0; index < worker_count; ++index) workers_[index]->jobs.notify();
  body.run_thread(0);
  for (;;) {
    const std::uint32_t seen = returns_.count();
    if (running_.load(std::memory_order_acquire) == 0) return true;
    if (!returns_.differs_soon(seen, patience)) returns_.sleep_while(seen);
  }
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

bool ThreadPool::grow(std::size_t worker_count) {
  try {
    while (workers_.size() < worker_count) {
      auto worker = std::make_unique<Worker>();
      workers_.reserve(workers_.size() + 1);
      const auto index = static_cast<std::int64_t>(workers_.size()) + 1;
      worker->thread = sync::Thread([this, &worker = *worker, index] { serve(worker, index); });
      workers_.push_back(std::move(worker));
    }
  } catch (const std::system_error&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

void ThreadPool::serve(Worker& worker, std::int64_t index) {
  std::uint32_t jobs_done = 0;
  for (;;) {
    if (!worker.jobs.differs_soon(jobs_done, patience_for_work)) {
      worker.jobs.sleep_while(jobs_done);
    }
    // One job at a time is handed out.
    jobs_done = worker.jobs.count();
    if (body_ == nullptr) return;
    body_->run_thread(index);
    if (running_.fetch_sub(1, std::memory_order_acq_rel) == 1) returns_.notify();
  }
}

}  // namespace shardcheck::impl
