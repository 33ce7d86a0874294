#pragma once

/// One world of fibers at work; fibers.h says what it promises. Kept from world to world for its
/// memory. One thread.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cancelled.h"
#include "channel.h"
#include "fiber_pool.h"
#include "meter.h"
#include "operation_pool.h"
#include "schedule.h"
#include "world.h"

namespace shardcheck::impl {

class FiberWorld;

class FiberEndpoint final : public Endpoint {
 public:
  FiberEndpoint(FiberWorld& world, std::int64_t rank) : world_(world), rank_(rank) {}

  std::int64_t rank() const override { return rank_; }
  std::int64_t rank_count() const override;
  void begin_phase(std::int64_t phase, Dtype dtype) override;
  Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override;
  Pending start_receive(std::int64_t source, std::size_t bytes,
                        std::function<void(std::span<const std::byte>)> consume) override;
  void wait(Pending pending) override;
  void note_temporary_bytes(std::int64_t bytes) override;

 private:
  FiberWorld& world_;
  std::int64_t rank_;
};

class FiberWorld final : public FiberBody {
 public:
  WorldOutcome run(std::int64_t rank_count, const Run& run, bool trace,
                   const std::function<void(Endpoint&)>& rank_program, const EndpointWrapper& wrap,
                   std::int64_t steps_allowed);

  void run_fiber(std::int64_t index) noexcept override;

 private:
  friend class FiberEndpoint;

  struct Match {
    Operation* send = nullptr;
    Operation* receive = nullptr;
  };

  struct Way {
    Channel channel;
    Numbering sends;
    Numbering receives;
  };

  struct RankState {
    std::int64_t phase = 0;
    Dtype dtype = Dtype::u8;
    std::vector<Match> arrived;      ///< matched, in that order
    std::size_t consumed_count = 0;  ///< of `arrived`
    std::int64_t outstanding = 0;
    const Operation* blocked_on = nullptr;
    std::int32_t place = -1;  ///< in can_run_
    bool has_finished = false;
  };

  RankState& state(std::int64_t rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  Way& way(std::int64_t source, std::int64_t destination);

  struct Running;

  template <typename Work>
  auto whole(std::int64_t rank, const Work& work);
  void begin(std::int64_t rank_count, const Run& run, bool trace);
  void run_ranks() noexcept;
  void wrap_endpoints(const EndpointWrapper& wrap);
  WorldOutcome end();
  std::vector<WaitEdge> wait_graph();
  std::vector<Transfer> left_over();

  Pending start_send(std::int64_t rank, std::int64_t destination,
                     std::span<const std::byte> payload);
  Pending start_receive(std::int64_t rank, std::int64_t source, std::size_t bytes,
                        std::function<void(std::span<const std::byte>)> consume);
  void wait_for(std::int64_t rank, Pending pending);
  Operation& start(bool is_send, std::int64_t rank, std::int64_t peer, std::size_t bytes);
  void deliver(Operation& operation);
  bool has_arrived(std::int64_t rank);
  void consume_next(std::int64_t rank);
  void maybe_consume(std::int64_t rank);
  void complete(Operation& operation);
  void check_outstanding(std::int64_t rank);

  std::int64_t choose_rank() noexcept;
  void yield(std::int64_t rank);
  void block(std::int64_t rank, const Operation& operation);
  void set_runnable(std::int64_t rank);
  void set_not_runnable(std::int64_t rank);
  void cancel_all();

  /// The first failure is the one reported.
  void fail(Ending ending, std::int64_t rank, std::string cause);
  void fail_stuck(Ending ending) noexcept;
  [[noreturn]] void break_off(std::int64_t rank, std::string cause);

  FiberPool pool_;
  Schedule schedule_;
  OperationPool operations_;
  std::vector<RankState> ranks_;
  std::vector<RankMeter> meters_;
  std::vector<FiberEndpoint> endpoints_;
  std::vector<std::unique_ptr<Endpoint>> wrappers_;
  std::vector<std::int32_t> way_numbers_;  ///< by destination, source; -1: not used yet
  std::vector<Way> ways_;
  std::vector<std::int32_t> can_run_;

  const std::function<void(Endpoint&)>* program_ = nullptr;
  bool is_running_ = false;
  bool traces_ = false;
  bool is_cancelled_ = false;
  std::int64_t message_count_ = 0;
  std::int64_t steps_ = 0;
  std::int64_t steps_allowed_ = 0;
  std::int64_t current_ = -1;
  std::int64_t finished_count_ = 0;
  WorldOutcome outcome_;
};

}  // namespace shardcheck::impl
