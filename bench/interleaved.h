#pragma once

/// Several ways to do the same work, timed in turns, so that whatever else the machine does falls
/// on all of them alike. The counters of a benchmark are each one's median rate and the median of
/// the ratios within a turn.
///
///     Interleaved turns(2.0 * m * n * k, Clock::own_thread);
///     turns.add("ours", [&] { … });
///     turns.add("OpenBLAS", [&] { … });
///     turns.run(state);      // ours, OpenBLAS, and ours/OpenBLAS, the ratio of their times

#include <functional>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace shardcheck::bench {

enum class Clock {
  own_thread,  ///< processor time of the calling thread: what others take of the processor is left
               ///< out, what they take of the caches is not
  wall
};

class Interleaved {
 public:
  /// `work`: operations of one execution, of which the counters tell 10^9 a second.
  Interleaved(double work, Clock clock) : work_(work), clock_(clock) {}

  /// The first is what the others are compared with.
  void add(std::string name, std::function<void()> execute);

  /// One turn an iteration; its time is that of the first.
  void run(benchmark::State& state);

 private:
  struct Contender {
    std::string name;
    std::function<void()> execute;
    std::vector<double> seconds;
  };

  double now() const;

  double work_;
  Clock clock_;
  std::vector<Contender> contenders_;
};

}  // namespace shardcheck::bench
