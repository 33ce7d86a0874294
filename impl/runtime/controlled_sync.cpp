#include "controlled_sync.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include <shardcheck/model/case/contract.h>

#include "fiber_pool.h"

namespace shardcheck::impl::sync {
namespace {

/// Threads by number, a bit each.
using Threads = std::uint32_t;

constexpr Threads only(int thread) { return Threads{1} << thread; }

struct NextStep {
  const void* object = nullptr;
  Access access = Access::read;
  std::function<bool()> can_go_on;
};

bool are_independent(const NextStep& one, const NextStep& other) {
  return one.object != other.object || (one.access == Access::read && other.access == Access::read);
}

/// A place where there was a choice.
struct Node {
  Threads choices = 0;  ///< that are worth trying
  Threads tried = 0;    ///< `chosen` too, once its executions are over
  Threads sleep = 0;    ///< whose next step would give an order that has been run
  int chosen = -1;
};

class Explorer final : public FiberBody {
 public:
  Explorer(const std::function<void()>& scenario, ExplorationLimits limits)
      : scenario_(scenario), limits_(limits), pool_(std::make_unique<FiberPool>()) {}

  Exploration run();
  void run_fiber(std::int64_t index) noexcept override;

  void wait_for_turn(NextStep next);
  int start(std::function<void()> work);
  bool has_finished(int thread) const { return has_finished_[static_cast<std::size_t>(thread)]; }
  void park(const void* word);
  void unpark(const void* word);

 private:
  void execute();
  bool move_on();
  int choose();
  int choose_at_new_node(Threads able);
  Threads able_to_go_on() const;
  void pass_sleep_on(const Node& node);

  const std::function<void()>& scenario_;
  ExplorationLimits limits_;
  std::unique_ptr<FiberPool> pool_;
  Exploration seen_;

  std::vector<Node> path_;
  std::size_t depth_ = 0;
  Threads sleep_ = 0;
  int preemptions_ = 0;
  bool is_twin_ = false;  ///< the rest of this execution was run before
  bool is_stuck_ = false;

  int current_ = -1;
  std::vector<std::function<void()>> work_;
  std::vector<bool> has_finished_;
  std::vector<NextStep> next_;
  std::vector<const void*> parked_on_;
};

Explorer* at_work = nullptr;

Exploration Explorer::run() {
  do {
    execute();
    ++seen_.execution_count;
    if (is_twin_) ++seen_.twin_count;
    if (is_stuck_) {
      ++seen_.stuck_count;
      // Fibers that are suspended can't be freed.
      static_cast<void>(pool_.release());
      return seen_;
    }
    if (seen_.execution_count >= limits_.executions) return seen_;
  } while (move_on());
  seen_.is_complete = true;
  return seen_;
}

void Explorer::execute() {
  depth_ = 0;
  sleep_ = 0;
  preemptions_ = 0;
  is_twin_ = false;
  work_.clear();
  has_finished_.clear();
  next_.clear();
  parked_on_.clear();
  start(scenario_);
  for (current_ = 0; current_ >= 0;) pool_->resume(current_);
  seen_.steps_max = std::max(seen_.steps_max, static_cast<std::int64_t>(depth_));
}

/// To the next order that hasn't been tried, if there is one.
bool Explorer::move_on() {
  while (!path_.empty()) {
    Node& last = path_.back();
    last.tried |= only(last.chosen);
    const Threads left = last.choices & ~last.tried;
    if (left != 0) {
      last.chosen = std::countr_zero(left);
      return true;
    }
    path_.pop_back();
  }
  return false;
}

void Explorer::run_fiber(std::int64_t index) noexcept {
  const auto thread = static_cast<std::size_t>(index);
  const std::function<void()> work = work_[thread];
  work();
  has_finished_[thread] = true;
  current_ = choose();
}

void Explorer::wait_for_turn(NextStep next) {
  const int me = current_;
  next_[static_cast<std::size_t>(me)] = std::move(next);
  const int chosen = choose();
  if (chosen == me) return;
  current_ = chosen;
  pool_->suspend(me);
}

int Explorer::start(std::function<void()> work) {
  const auto thread = static_cast<int>(work_.size());
  SHARDCHECK_REQUIRE(thread < 32, "threads of a scenario are bits of a word");
  work_.push_back(std::move(work));
  has_finished_.push_back(false);
  next_.emplace_back();
  parked_on_.push_back(nullptr);
  pool_->grow(thread + 1);
  pool_->start(thread, *this);
  return thread;
}

void Explorer::park(const void* word) {
  const auto me = static_cast<std::size_t>(current_);
  parked_on_[me] = word;
  wait_for_turn({word, Access::write, [this, me] { return parked_on_[me] == nullptr; }});
}

void Explorer::unpark(const void* word) {
  const auto parked = std::find(parked_on_.begin(), parked_on_.end(), word);
  if (parked != parked_on_.end()) *parked = nullptr;
}

Threads Explorer::able_to_go_on() const {
  Threads able = 0;
  for (std::size_t thread = 0; thread < next_.size(); ++thread) {
    if (has_finished_[thread]) continue;
    if (!next_[thread].can_go_on || next_[thread].can_go_on())
      able |= only(static_cast<int>(thread));
  }
  return able;
}

/// -1 ends the execution.
int Explorer::choose() {
  const Threads able = able_to_go_on();
  if (able == 0) {
    is_stuck_ = std::find(has_finished_.begin(), has_finished_.end(), false) != has_finished_.end();
    return -1;
  }
  if (is_twin_) return std::countr_zero(able);
  const int chosen = depth_ < path_.size() ? path_[depth_].chosen : choose_at_new_node(able);
  if (chosen < 0) return std::countr_zero(able);
  if (chosen != current_ && current_ >= 0 && (able & only(current_)) != 0) ++preemptions_;
  pass_sleep_on(path_[depth_]);
  ++depth_;
  return chosen;
}

/// Whoever is at work goes on first. -1: all orders from here on have been run.
int Explorer::choose_at_new_node(Threads able) {
  Node node;
  node.sleep = sleep_;
  node.choices = able & ~sleep_;
  const bool can_stay = (able & only(current_)) != 0;
  if (limits_.preemptions >= 0 && can_stay && preemptions_ >= limits_.preemptions) {
    node.choices = only(current_);
  }
  if (node.choices == 0) {
    is_twin_ = true;
    return -1;
  }
  node.chosen = (node.choices & only(current_)) != 0 ? current_ : std::countr_zero(node.choices);
  path_.push_back(node);
  return node.chosen;
}

void Explorer::pass_sleep_on(const Node& node) {
  sleep_ = 0;
  if (limits_.preemptions >= 0) return;
  const Threads candidates = (node.sleep | node.tried) & ~only(node.chosen);
  for (std::size_t thread = 0; thread < next_.size(); ++thread) {
    const Threads bit = only(static_cast<int>(thread));
    if ((candidates & bit) == 0) continue;
    if (are_independent(next_[thread], next_[static_cast<std::size_t>(node.chosen)])) sleep_ |= bit;
  }
}

}  // namespace

Exploration explore(const std::function<void()>& scenario, ExplorationLimits limits) {
  Explorer explorer(scenario, limits);
  at_work = &explorer;
  const Exploration seen = explorer.run();
  at_work = nullptr;
  return seen;
}

void step(const void* object, Access access) {
  if (at_work != nullptr) at_work->wait_for_turn({object, access, {}});
}

void step_when(const void* object, Access access, std::function<bool()> can_go_on) {
  at_work->wait_for_turn({object, access, std::move(can_go_on)});
}

Thread::Thread(std::function<void()> work) : index_(at_work->start(std::move(work))) {
  step(this, Access::write);
}

void Thread::join() {
  step_when(this, Access::write, [this] { return at_work->has_finished(index_); });
}

void park(const Atomic<std::uint32_t>& word, std::uint32_t value) {
  step(&word, Access::write);
  if (word.value() == value) at_work->park(&word);
}

void unpark(const Atomic<std::uint32_t>& word) {
  step(&word, Access::write);
  at_work->unpark(&word);
}

}  // namespace shardcheck::impl::sync
