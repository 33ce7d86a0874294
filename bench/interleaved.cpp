#include "interleaved.h"

#include <ctime>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace shardcheck::bench {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

void Interleaved::add(std::string name, std::function<void()> execute) {
  contenders_.push_back({std::move(name), std::move(execute), {}});
}

void Interleaved::run(benchmark::State& state) {
  for (Contender& contender : contenders_) contender.execute();
  for (auto _ : state) {
    for (Contender& contender : contenders_) {
      const double start = now();
      contender.execute();
      contender.seconds.push_back(now() - start);
    }
    state.SetIterationTime(contenders_.front().seconds.back());
  }
  const std::vector<double>& first = contenders_.front().seconds;
  for (const Contender& contender : contenders_) {
    state.counters[contender.name] = work_ / median(contender.seconds) * 1e-9;
    if (&contender == &contenders_.front()) continue;
    std::vector<double> ratios;
    for (std::size_t turn = 0; turn < first.size(); ++turn) {
      ratios.push_back(first[turn] / contender.seconds[turn]);
    }
    state.counters[contenders_.front().name + "/" + contender.name] = median(ratios);
  }
}

double Interleaved::now() const {
  timespec time{};
  clock_gettime(clock_ == Clock::wall ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace shardcheck::bench
