// Collectives on threads, a rank each, in f32, beside what two plain threads need for the same
// numbers in the same buffers (two_threads.h). Both are timed in turn within each iteration, for a
// virtual core moves between real ones within seconds, and the ratio is the median of the pairs'.
// Every result is compared once, bit by bit, before anything is timed.
//
//   ours_us   one run_threads() of one call: start of the world, messages, ledger
//   whole_us  the same as a backend, which also lists the coordinates of what each rank owns

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/impl/calls/rank_calls.h>
#include <shardcheck/impl/runtime/threads.h>

#include "two_threads.h"

namespace shardcheck::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Freed {
  void operator()(float* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
};

/// All ranks' inputs and results. Each has a vector's room, whatever of it a collective uses.
class Buffers {
 public:
  Buffers(std::size_t ranks, std::size_t count) : count_(count) {
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      for (auto* list : {&inputs_, &results_}) {
        memory_.emplace_back(new (std::align_val_t{64}) float[count]);
        list->push_back(memory_.back().get());
      }
      for (std::size_t at = 0; at < count; ++at) {
        inputs_[rank][at] = static_cast<float>((at * 7 + rank * 3) % 1000);
      }
    }
  }

  std::span<const float* const> inputs() const { return {inputs_.data(), inputs_.size()}; }
  std::span<float* const> results() const { return results_; }

  /// Valid until it is asked for again.
  std::vector<RankMemory> memory(std::size_t input_count) {
    shown_.clear();
    for (const float* input : inputs_)
      shown_.push_back({std::as_bytes(std::span(input, input_count))});
    std::vector<RankMemory> ranks;
    for (std::size_t rank = 0; rank < inputs_.size(); ++rank) {
      ranks.push_back({shown_[rank], std::as_writable_bytes(std::span(results_[rank], count_))});
    }
    return ranks;
  }

  void forget_results() const {
    for (float* result : results_) std::fill_n(result, count_, -1.0F);
  }
  std::vector<float> all_results() const {
    std::vector<float> all;
    for (const float* result : results_) all.insert(all.end(), result, result + count_);
    return all;
  }

 private:
  std::size_t count_;
  std::vector<std::unique_ptr<float[], Freed>> memory_;
  std::vector<float*> inputs_;
  std::vector<std::array<std::span<const std::byte>, 1>> shown_;  ///< the inputs, by rank
  std::vector<float*> results_;
};

/// One collective of all ranks: the call, what a member starts from, and the bound.
struct Subject {
  std::string name;
  Call call;
  std::function<std::size_t(std::size_t ranks, std::size_t count)> input_count;
  std::function<void(TwoThreads&, const Buffers&, std::size_t count)> bound;
};

/// Half of [0, count) in whole cache lines. Requires: count is a multiple of 16.
std::array<std::size_t, 2> part_of(std::size_t count, int half) {
  const std::size_t middle = count / 2 / 16 * 16;
  return half == 0 ? std::array{std::size_t{0}, middle} : std::array{middle, count};
}

void bound_of_all_reduce(TwoThreads& threads, const Buffers& buffers, std::size_t count) {
  threads.run([&](int half) {
    const auto [begin, end] = part_of(count, half);
    sum_into(buffers.inputs(), buffers.results(), begin, end);
  });
}

/// Each thread makes half of the ranks' blocks.
void bound_of_reduce_scatter(TwoThreads& threads, const Buffers& buffers, std::size_t count) {
  const std::size_t ranks = buffers.results().size();
  const std::size_t block = count / ranks;
  threads.run([&](int half) {
    for (std::size_t rank = static_cast<std::size_t>(half); rank < ranks; rank += 2) {
      // The block lands at the start of the rank's result.
      float* const from_start = buffers.results()[rank] - rank * block;
      sum_into(buffers.inputs(), std::span(&from_start, 1), rank * block, (rank + 1) * block);
    }
  });
}

void bound_of_all_gather(TwoThreads& threads, const Buffers& buffers, std::size_t count) {
  const std::size_t ranks = buffers.results().size();
  const std::size_t block = count / ranks;
  threads.run([&](int half) {
    for (std::size_t rank = static_cast<std::size_t>(half); rank < ranks; rank += 2) {
      const float* const in_place = buffers.inputs()[rank] - rank * block;
      copy_into(in_place, buffers.results(), rank * block, (rank + 1) * block);
    }
  });
}

const std::vector<Subject>& subjects() {
  static const auto whole = [](std::size_t, std::size_t count) { return count; };
  static const auto block = [](std::size_t ranks, std::size_t count) { return count / ranks; };
  static const std::vector<Subject> all{
      {"all_reduce ring", {Collective::all_reduce, Algorithm::ring}, whole, bound_of_all_reduce},
      {"all_reduce doubling",
       {Collective::all_reduce, Algorithm::doubling},
       whole,
       bound_of_all_reduce},
      {"reduce_scatter ring",
       {Collective::reduce_scatter, Algorithm::ring},
       whole,
       bound_of_reduce_scatter},
      {"reduce_scatter direct",
       {Collective::reduce_scatter, Algorithm::direct},
       whole,
       bound_of_reduce_scatter},
      {"all_gather ring", {Collective::all_gather, Algorithm::ring}, block, bound_of_all_gather},
      {"all_gather direct",
       {Collective::all_gather, Algorithm::direct},
       block,
       bound_of_all_gather}};
  return all;
}

CallsCase case_of(const Call& call, std::size_t ranks, std::size_t count) {
  CallsCase subject;
  subject.mesh.axes = {{"x", static_cast<std::int64_t>(ranks)}};
  subject.over = {0};
  subject.calls = {call};
  subject.n = static_cast<std::int64_t>(count);
  subject.dtypes.in = subject.dtypes.acc = subject.dtypes.wire = subject.dtypes.out = Dtype::f32;
  subject.run.kind = Run::Kind::threads;
  return subject;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// Of one of `repeats` runs, so that a clock's own time doesn't count. One before them wakes
/// whoever slept meanwhile, and finds out whose turn the caches are at.
double microseconds(std::size_t repeats, const std::function<void()>& work) {
  work();
  const auto start = Clock::now();
  for (std::size_t repeat = 0; repeat < repeats; ++repeat) work();
  const std::chrono::duration<double, std::micro> passed = Clock::now() - start;
  return passed.count() / static_cast<double>(repeats);
}

void compare(benchmark::State& state, const Subject& collective) {
  const auto ranks = static_cast<std::size_t>(state.range(0));
  const auto count = static_cast<std::size_t>(state.range(1)) / sizeof(float);
  Buffers buffers(ranks, count);
  const auto memory = buffers.memory(collective.input_count(ranks, count));
  const CallsCase subject = case_of(collective.call, ranks, count);
  const impl::CollectiveSetup setup(subject);
  std::vector<impl::Workspace> workspaces(ranks);
  impl::ShardedBackend backend;
  TwoThreads threads;
  const auto bound = [&] { collective.bound(threads, buffers, count); };
  const auto ours = [&] {
    const auto program = [&](impl::Endpoint& endpoint) {
      const auto rank = static_cast<std::size_t>(endpoint.rank());
      run_calls(setup, impl::collective_table(), endpoint, memory[rank], workspaces[rank]);
    };
    benchmark::DoNotOptimize(
        impl::run_threads(static_cast<std::int64_t>(ranks), false, program, {}));
  };
  const Case asked = subject;
  const auto whole = [&] { benchmark::DoNotOptimize(backend.run({asked, memory, false})); };
  buffers.forget_results();
  bound();
  const std::vector<float> expected = buffers.all_results();
  buffers.forget_results();
  ours();
  if (buffers.all_results() != expected) return state.SkipWithError("the results differ");

  const std::size_t repeats = std::max<std::size_t>(1, (std::size_t{16} << 10) / count);
  std::vector<double> bound_times;
  std::vector<double> our_times;
  std::vector<double> whole_times;
  std::vector<double> ratios;
  for (auto _ : state) {
    bound_times.push_back(microseconds(repeats, bound));
    threads.rest();
    our_times.push_back(microseconds(repeats, ours));
    whole_times.push_back(microseconds(repeats, whole));
    ratios.push_back(our_times.back() / bound_times.back());
    state.SetIterationTime(our_times.back() * 1e-6);
  }
  state.counters["bound_us"] = median(bound_times);
  state.counters["ours_us"] = median(our_times);
  state.counters["whole_us"] = median(whole_times);
  state.counters["ratio"] = median(ratios);
}

void register_all() {
  for (const Subject& subject : subjects()) {
    auto* benchmark = benchmark::RegisterBenchmark(
        subject.name.c_str(), [&subject](benchmark::State& state) { compare(state, subject); });
    benchmark->ArgNames({"ranks", "bytes"})->Iterations(40)->UseManualTime();
    benchmark->Unit(benchmark::kMicrosecond);
    for (const std::int64_t ranks : {2, 4, 8}) {
      // At least a cache line for each of the bound's halves and each rank's block.
      for (const std::int64_t bytes : {512, 65'536, 1 << 20, 16 << 20, 64 << 20}) {
        if (ranks > 2 && bytes > 16 << 20) continue;
        benchmark->Args({ranks, bytes});
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck::bench

int main(int count, char** arguments) {
  shardcheck::bench::register_all();
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
