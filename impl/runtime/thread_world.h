#pragma once

/// One world of threads at work; threads.h says what it promises. Kept from world to world for its
/// memory.
///
/// What a ThreadRank holds is its own thread's, but for `inbox` and `events`, through which the
/// others reach it. Everything may be read by the thread that runs the world once all have ended.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "cancelled.h"
#include "channel.h"
#include "meter.h"
#include "operation_pool.h"
#include "thread_pool.h"
#include "world.h"

namespace shardcheck::impl {

class ThreadWorld;

class alignas(64) ThreadRank final : public Endpoint {
 public:
  ThreadRank(ThreadWorld& world, std::int64_t rank) : world_(world), rank_(rank) {}

  std::int64_t rank() const override { return rank_; }
  std::int64_t rank_count() const override;
  void begin_phase(std::int64_t phase, Dtype dtype) override;
  Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override;
  Pending start_receive(std::int64_t source, std::size_t bytes,
                        std::function<void(std::span<const std::byte>)> consume) override;
  void wait(Pending pending) override;
  void note_temporary_bytes(std::int64_t bytes) override;

  /// Before a world.
  void begin();
  /// On the rank's thread, around the whole of its program.
  void run(const std::function<void(Endpoint&)>& program, Endpoint& endpoint);
  /// After a world.
  void count_left_over(std::vector<Transfer>& transfers);

  /// Any thread: there is something new for this rank.
  void wake();
  void sleep_until_events_differ(std::uint32_t events_seen) const {
    events_.wait(events_seen, std::memory_order_acquire);
  }
  std::uint32_t events() const { return events_.load(std::memory_order_acquire); }

 private:
  struct Match {
    Operation* send = nullptr;
    Operation* receive = nullptr;
  };

  RankMeter& meter();
  void put_into_inbox(Operation& send);
  void empty_inbox();
  bool has_arrived();
  void consume_next();
  Operation& start(bool is_send, std::int64_t peer, std::size_t bytes);
  void wait_until_complete(const Operation& operation);
  void await_event(const Operation& operation, std::uint32_t events_seen);
  void take_back_sends();
  void check_cancelled();
  [[noreturn]] void break_off(std::string cause);

  ThreadWorld& world_;
  std::int64_t rank_;
  std::int64_t phase_ = 0;
  Dtype dtype_ = Dtype::u8;
  std::int64_t outstanding_ = 0;
  OperationPool operations_;
  std::vector<Channel> channels_;    ///< by source
  std::vector<Numbering> sends_;     ///< by destination
  std::vector<Numbering> receives_;  ///< by source
  std::vector<Match> arrived_;       ///< matched, in that order
  std::size_t consumed_count_ = 0;   ///< of arrived_
  std::vector<Operation*> inbox_read_;

  alignas(64) std::mutex inbox_mutex_;
  std::vector<Operation*> inbox_;  ///< sends of others, in the order started
  /// Counts what others did that may let this rank go on. Changes after the deed.
  std::atomic<std::uint32_t> events_ = 0;
};

class ThreadWorld final : public ThreadBody {
 public:
  WorldOutcome run(std::int64_t rank_count, bool trace,
                   const std::function<void(Endpoint&)>& rank_program, const EndpointWrapper& wrap,
                   std::chrono::milliseconds limit);

  void run_thread(std::int64_t index) noexcept override;
  void time_out() noexcept override;

 private:
  friend class ThreadRank;

  /// A rank that sleeps until its events differ from `events_seen`.
  struct Sleeper {
    const Operation* operation = nullptr;  ///< null: awake
    std::uint32_t events_seen = 0;
    bool has_finished = false;
  };

  ThreadRank& rank(std::int64_t index) { return *ranks_[static_cast<std::size_t>(index)]; }

  void begin(std::int64_t rank_count, bool trace);
  void wrap_endpoints(const EndpointWrapper& wrap);
  WorldOutcome end();

  /// The first failure is the one reported. Wakes everybody.
  void fail(Ending ending, std::int64_t rank, std::string cause);
  void fail_locked(Ending ending, std::int64_t rank, std::string cause);

  void sleep(std::int64_t rank, const Operation& operation, std::uint32_t events_seen);
  void finish(std::int64_t rank);
  void look_for_deadlock_locked();
  std::vector<WaitEdge> wait_graph_locked() const;

  std::vector<std::unique_ptr<ThreadRank>> ranks_;
  std::vector<RankMeter> meters_;
  std::vector<std::unique_ptr<Endpoint>> wrappers_;
  const std::function<void(Endpoint&)>* program_ = nullptr;
  std::int64_t rank_count_ = 0;
  bool is_running_ = false;
  bool traces_ = false;
  std::int64_t spins_ = 0;
  std::chrono::milliseconds limit_{0};
  std::atomic<bool> is_cancelled_ = false;
  std::atomic<std::int64_t> message_count_ = 0;

  std::mutex mutex_;  ///< guards what follows
  std::vector<Sleeper> sleepers_;
  std::int64_t sleeping_count_ = 0;
  std::int64_t finished_count_ = 0;
  WorldOutcome outcome_;

  ThreadPool pool_;
};

}  // namespace shardcheck::impl
