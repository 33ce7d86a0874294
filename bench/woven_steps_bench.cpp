// Woven steps beside the plain steps that they stand for, in f32 on threads, a rank each: the whole
// run, from shards to what the ranks own. The last lines say what a woven step takes of its plain
// steps' time.

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/impl/plan/steps.h>

namespace {

using shardcheck::Ending;
using shardcheck::ProductCase;
using shardcheck::RankMemory;
using shardcheck::Tensor;
using shardcheck::impl::ShardedBackend;
using shardcheck::impl::Situation;

struct Layout {
  std::string name;
  std::string text;
  std::string woven;
  std::string plain;
};

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all{
      {"gather_local of k", "mesh=x4 {} A[i,k/x] B[k,j/x] -> C[i,j/x]", "gather_local:A/x",
       "gather:A/x+local"},
      {"gather_local of rows", "mesh=x4 {} A[i/x,k] B[k,j/x] -> C[i,j/x]", "gather_local:A/x",
       "gather:A/x+local"},
      {"local_scatter", "mesh=x4 {} A[i,k/x] B[k/x,j] -> C[i/x,j]", "local_scatter:C/x",
       "local+reduce_scatter:C/x"},
      {"summa", "mesh=x2,y2 {} A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]", "summa:x/y",
       "gather:A/y+gather:B/x+local"},
      {"cannon", "mesh=x2,y2 {} A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y]", "cannon:x/y",
       "gather:A/y+gather:B/x+local"}};
  return all;
}

/// All ranks' memory, A and B filled with numbers between 1 and 2.
class Memory {
 public:
  explicit Memory(const ProductCase& subject) {
    const Situation situation(subject);
    const auto ranks = static_cast<std::size_t>(situation.pool.grid().rank_count);
    std::mt19937 random(1);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      for (const Tensor tensor : {Tensor::a, Tensor::b}) {
        const auto& lists = tensor_of(situation.start, tensor);
        std::vector<float> shard(
            situation.pool.held(lists.rows, static_cast<std::int64_t>(rank)).size() *
            situation.pool.held(lists.columns, static_cast<std::int64_t>(rank)).size());
        for (float& value : shard) value = 1 + static_cast<float>(random() >> 9U) * 0x1p-23F;
        buffers_.push_back(std::move(shard));
      }
      buffers_.emplace_back(static_cast<std::size_t>(subject.i * subject.j));
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      inputs_.push_back({std::as_bytes(std::span(buffers_[3 * rank])),
                         std::as_bytes(std::span(buffers_[3 * rank + 1]))});
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      ranks_.push_back({inputs_[rank], std::as_writable_bytes(std::span(buffers_[3 * rank + 2]))});
    }
  }

  std::span<const RankMemory> ranks() const { return ranks_; }

 private:
  std::vector<std::vector<float>> buffers_;
  std::vector<std::array<std::span<const std::byte>, 2>> inputs_;  ///< by rank: A and B
  std::vector<RankMemory> ranks_;
};

void run(benchmark::State& state, const Layout& layout, const std::string& plan) {
  const auto size = state.range(0);
  const std::string sizes = fmt::format("i={0} j={0} k={0}", size);
  const auto subject = shardcheck::parse("matmul " + fmt::format(fmt::runtime(layout.text), sizes) +
                                         " in=f32 run=threads plan=" + plan);
  if (!subject) {
    state.SkipWithError(print(subject.error()).c_str());
    return;
  }
  const Memory memory(std::get<ProductCase>(*subject));
  ShardedBackend backend;
  for (auto _ : state) {
    const auto seen = backend.run({*subject, memory.ranks(), false});
    if (seen.ending != Ending::finished) {
      state.SkipWithError(seen.cause.c_str());
      return;
    }
  }
}

/// Prints as usual, and keeps the least time of each for the ratios.
class Ratios : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const double seconds = run.real_accumulated_time / static_cast<double>(run.iterations);
      const auto [known, is_new] = seconds_.try_emplace(run.run_name.function_name, seconds);
      known->second = std::min(known->second, seconds);
    }
    benchmark::ConsoleReporter::ReportRuns(runs);
  }

  void print() const {
    for (const Layout& layout : layouts()) {
      const auto woven = seconds_.find(layout.name);
      const auto plain = seconds_.find(layout.name + ", plain");
      if (woven == seconds_.end() || plain == seconds_.end()) continue;
      fmt::print("{}: {:.0f}% of the time of {}\n", layout.name,
                 100 * woven->second / plain->second, layout.plain);
    }
  }

 private:
  std::map<std::string, double> seconds_;
};

}  // namespace

int main(int count, char** arguments) {
  for (const Layout& layout : layouts()) {
    for (const bool is_plain : {false, true}) {
      benchmark::RegisterBenchmark((layout.name + (is_plain ? ", plain" : "")).c_str(),
                                   [&layout, is_plain](benchmark::State& state) {
                                     run(state, layout, is_plain ? layout.plain : layout.woven);
                                   })
          ->Arg(512)
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime()
          ->Repetitions(5);
    }
  }
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  Ratios ratios;
  benchmark::RunSpecifiedBenchmarks(&ratios);
  ratios.print();
  return 0;
}
