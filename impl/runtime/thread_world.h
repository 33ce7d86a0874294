#pragma once

/// One world of threads at work; threads.h says what it promises. Kept from world to world for its
/// memory.
///
/// What a ThreadRank holds is its own thread's, but for its inbox and its signal, through which the
/// others reach it. Everything may be read by the thread that runs the world once all have ended.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cancelled.h"
#include "channel.h"
#include "meter.h"
#include "operation_pool.h"
#include "signal.h"
#include "sync.h"
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

  /// Told of all that may let this rank go on, after the deed.
  Signal& signal() { return signal_; }
  /// Any thread: whether run() is over.
  bool has_finished() const { return has_finished_.load(); }
  const Signal& signal() const { return signal_; }

 private:
  struct Match {
    Operation* send = nullptr;
    Operation* receive = nullptr;
  };

  template <typename Work>
  auto whole(const Work& work);
  bool unwinds() const;
  RankMeter& meter();
  void put_into_inbox(Operation& send);
  void empty_inbox();
  bool has_arrived() const { return consumed_count_ < arrived_.size(); }
  void consume_next();
  Operation& start(bool is_send, std::int64_t peer, std::size_t bytes);
  void wait_until_complete(const Operation& operation);
  void take_back_sends();
  void check_cancelled();
  void look_at_clocks();
  [[noreturn]] void break_off(std::string cause);

  ThreadWorld& world_;
  std::int64_t rank_;
  std::int64_t phase_ = 0;
  Dtype dtype_ = Dtype::u8;
  std::int64_t outstanding_ = 0;
  int exceptions_before_ = 0;  ///< in flight on this thread as the rank starts
  std::int64_t calls_ = 0;     ///< of the endpoint, about
  std::optional<std::chrono::nanoseconds> processor_time_;  ///< of this thread, at the last look
  OperationPool operations_;
  std::vector<Channel> channels_;    ///< by source
  std::vector<Numbering> sends_;     ///< by destination
  std::vector<Numbering> receives_;  ///< by source
  std::vector<Match> arrived_;       ///< matched, in that order
  std::size_t consumed_count_ = 0;   ///< of arrived_

  alignas(64) sync::Atomic<Operation*> inbox_ = nullptr;  ///< sends of others, the last one first
  Signal signal_;
  sync::Atomic<bool> has_finished_ = false;
};

class ThreadWorld final : public ThreadBody {
 public:
  WorldOutcome run(std::int64_t rank_count, bool trace,
                   const std::function<void(Endpoint&)>& rank_program, const EndpointWrapper& wrap,
                   std::chrono::milliseconds limit);

  void run_thread(std::int64_t index) noexcept override;

 private:
  friend class ThreadRank;

  /// A rank that sleeps until its signal differs from `seen`.
  struct Sleeper {
    const Operation* operation = nullptr;  ///< null: awake
    std::uint32_t seen = 0;
  };

  ThreadRank& rank(std::int64_t index) { return *ranks_[static_cast<std::size_t>(index)]; }

  struct Running;

  void begin(std::int64_t rank_count, bool trace);
  void wrap_endpoints(const EndpointWrapper& wrap);
  WorldOutcome end();

  /// The first failure is the one reported. Wakes everybody.
  void fail(Ending ending, std::int64_t rank, std::string cause);
  void fail_locked(Ending ending, std::int64_t rank, std::string cause);

  void sleep(std::int64_t rank, const Operation& operation, std::uint32_t seen);
  void finish();
  void time_out_if_due(std::chrono::nanoseconds processor_time);
  void look_for_deadlock_locked() noexcept;
  std::vector<WaitEdge> wait_graph_locked() const;

  std::vector<std::unique_ptr<ThreadRank>> ranks_;
  std::vector<RankMeter> meters_;
  std::vector<std::unique_ptr<Endpoint>> wrappers_;
  const std::function<void(Endpoint&)>* program_ = nullptr;
  std::int64_t rank_count_ = 0;
  bool is_running_ = false;
  bool traces_ = false;
  Patience patience_;
  std::chrono::milliseconds limit_{0};
  std::chrono::nanoseconds started_at_{0};
  sync::Atomic<bool> is_cancelled_ = false;
  sync::Atomic<std::int64_t> message_count_ = 0;
  sync::Atomic<std::int64_t> processor_nanoseconds_ = 0;  ///< of all ranks, as far as they looked

  sync::Atomic<std::int64_t> finished_count_ = 0;
  sync::Atomic<std::int64_t> sleeping_count_ = 0;  ///< changes under the mutex alone

  sync::Mutex mutex_;  ///< guards what follows
  std::vector<Sleeper> sleepers_;
  WorldOutcome outcome_;

  ThreadPool pool_;
};

}  // namespace shardcheck::impl
