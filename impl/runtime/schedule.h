#pragma once

/// Who runs next, and whether a message is copied early or read late: every choice of a world of
/// fibers, drawn from a seed or read from a record.
///
///   fibers:SEED     every choice uniform
///   pct:DEPTH:SEED  ranks have random priorities and the highest that can run does; at DEPTH - 1
///                   random steps the rank about to run falls below all others. Finds any bug that
///                   DEPTH ordering constraints bring out with a known probability (Burckhardt,
///                   Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic
///                   Guarantees of Finding Bugs, ASPLOS 2010). The number of steps isn't known
///                   beforehand: a change point's magnitude is drawn first, then the step.
///   trace:c,c,...   the recorded choices: a rank where more than one could run, else 0 or 1
///
/// One thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <shardcheck/model/case/setting.h>

namespace shardcheck::impl {

class Schedule {
 public:
  /// Starts over. Keeps a reference to `run`. Requires: run.kind isn't `threads`.
  void begin(const Run& run, std::int64_t rank_count, bool record);

  /// One of the ranks that can run, or -1 if the trace names another one or is over.
  /// Requires: at least one can run.
  std::int64_t next_rank(std::span<const std::int32_t> can_run);

  /// A choice between two ways. False if the trace doesn't fit; next_rank() then gives -1.
  bool choose();

  /// Why the trace doesn't fit the world that has now ended, if so.
  std::optional<std::string> misfit() const;

  /// The choices so far, fit for `trace:`; empty if not recorded or more than
  /// limits::trace_choices.
  std::vector<std::int64_t> take_choices();

 private:
  std::uint64_t draw();
  std::uint64_t draw_below(std::uint64_t bound);
  void draw_priorities(std::int64_t rank_count);
  std::int64_t highest_priority(std::span<const std::int32_t> can_run);
  std::int64_t recorded_rank(std::span<const std::int32_t> can_run);
  std::optional<std::int64_t> next_recorded();
  void record(std::int64_t choice);

  const Run* run_ = nullptr;
  std::uint64_t state_ = 0;

  std::vector<std::int64_t> priorities_;      ///< by rank; pct only
  std::vector<std::uint64_t> change_points_;  ///< steps, descending; pct only
  std::uint64_t steps_ = 0;
  std::int64_t lowest_priority_ = 0;

  std::size_t replayed_ = 0;
  std::string misfit_;

  bool records_ = false;
  std::vector<std::int64_t> choices_;
};

}  // namespace shardcheck::impl
