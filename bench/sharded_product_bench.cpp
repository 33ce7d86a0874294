// The whole sharded product of floats on two threads, from shards to what the ranks own, beside the
// dense product by a library on two threads; with a K split the library's time has that of a
// reduce-scatter of C by two plain threads added. Each result is compared once before it is timed.
// `told` is ours with what the backend tells the judge, eight bytes of coordinate for each element.
// GFLOP/s and ratios of times.

#include <array>
#include <barrier>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/impl/plan/planner.h>
#include <shardcheck/impl/plan/steps.h>
#include <shardcheck/impl/product/matmul.h>
#include <shardcheck/impl/rank/local_product.h>
#include <shardcheck/impl/runtime/workspace.h>
#include <shardcheck/impl/runtime/world.h>

#include "dense_peers.h"
#include "interleaved.h"

namespace {

using namespace shardcheck;
using bench::Clock;
using bench::dense_peers;
using bench::Interleaved;
using impl::ProductShape;
using impl::ShardedBackend;
using impl::Situation;

struct Sharding {
  std::string name;
  std::string layout;
  bool is_reduced = false;
};

std::vector<float> numbers(std::size_t count) {
  std::mt19937 random(1);
  std::vector<float> filled(count);
  for (float& number : filled) number = 1 + static_cast<float>(random() >> 9U) * 0x1p-23F;
  return filled;
}

/// All ranks' memory.
class Memory {
 public:
  explicit Memory(const ProductCase& subject) {
    const Situation situation(subject);
    const std::int64_t ranks = situation.pool.grid().rank_count;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      for (const Tensor tensor : {Tensor::a, Tensor::b}) {
        const auto& lists = tensor_of(situation.start, tensor);
        buffers_.push_back(numbers(situation.pool.held(lists.rows, rank).size() *
                                   situation.pool.held(lists.columns, rank).size()));
      }
      buffers_.emplace_back(static_cast<std::size_t>(subject.i * subject.j));
    }
    const std::size_t count = buffers_.size() / 3;
    for (std::size_t rank = 0; rank < count; ++rank) {
      inputs_.push_back({std::as_bytes(std::span(buffers_[3 * rank])),
                         std::as_bytes(std::span(buffers_[3 * rank + 1]))});
    }
    for (std::size_t rank = 0; rank < count; ++rank) {
      ranks_.push_back({inputs_[rank], std::as_writable_bytes(std::span(buffers_[3 * rank + 2]))});
    }
  }

  std::span<const RankMemory> ranks() const { return ranks_; }

 private:
  std::vector<std::vector<float>> buffers_;                        ///< by rank: A, B and C
  std::vector<std::array<std::span<const std::byte>, 2>> inputs_;  ///< by rank: A and B
  std::vector<RankMemory> ranks_;
};

/// The steps of the plan on all ranks, without what a backend tells of them.
class Ranks {
 public:
  Ranks(const ProductCase& subject, std::span<const RankMemory> memory)
      : situation_(subject), plan_(resolve(situation_)), memory_(memory) {
    workspaces_.resize(memory.size());
  }

  /// True if all ranks ended well.
  bool run() {
    if (!plan_) return false;
    std::vector<LocalProduct> products(memory_.size());
    const impl::Matmul matmul{situation_, *plan_, false};
    const auto outcome = impl::run_world(
        static_cast<std::int64_t>(memory_.size()), situation_.subject.run, false,
        [&](impl::Endpoint& endpoint) {
          const auto rank = static_cast<std::size_t>(endpoint.rank());
          impl::run_rank(matmul, endpoint, memory_[rank], workspaces_[rank], products[rank]);
        });
    return outcome.ending == Ending::finished;
  }

 private:
  Situation situation_;
  tl::expected<impl::ResolvedPlan, std::string> plan_;
  std::span<const RankMemory> memory_;
  std::vector<impl::Workspace> workspaces_;
};

/// The first row of what each rank owns has the plain loop's bits, summed over the ranks where k is
/// sharding.
bool is_right(const ProductCase& subject, const Sharding& sharding,
              std::span<const RankMemory> ranks) {
  const impl::Multiplication plain{Kernel::ordered, subject.fma, Dtype::f32, Dtype::f32};
  const std::int64_t depth = sharding.is_reduced ? subject.k / 2 : subject.k;
  const ProductShape shape{1, depth, subject.j};
  std::vector<std::byte> scratch(static_cast<std::size_t>(scratch_bytes(plain, shape)));
  const auto row_of = [&](const RankMemory& memory, std::int64_t row) {
    std::vector<float> sums(static_cast<std::size_t>(subject.j));
    local_product(plain, shape, {depth, subject.j, subject.j},
                  memory.inputs[0].data() + row * depth * info(Dtype::f32).bytes,
                  memory.inputs[1].data(), std::as_writable_bytes(std::span(sums)).data(),
                  impl::Sums::begin, scratch.data());
    return sums;
  };
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::int64_t first =
        sharding.is_reduced ? static_cast<std::int64_t>(rank) * subject.i / 2 : 0;
    std::vector<float> expected = row_of(ranks[rank], first);
    if (sharding.is_reduced) {
      const std::vector<float> other = row_of(ranks[1 - rank], first);
      for (std::size_t at = 0; at < expected.size(); ++at) expected[at] += other[at];
    }
    if (std::memcmp(expected.data(), ranks[rank].output.data(), expected.size() * sizeof(float)) !=
        0) {
      return false;
    }
  }
  return true;
}

/// Two threads that each add the other's half of C to their own.
class ReduceScatter {
 public:
  explicit ReduceScatter(std::size_t count)
      : partials_{numbers(count), numbers(count)}, other_([this] { serve(); }) {}
  ~ReduceScatter() {
    is_over_ = true;
    gate_.arrive_and_wait();
    other_.join();
  }
  ReduceScatter(const ReduceScatter&) = delete;
  ReduceScatter& operator=(const ReduceScatter&) = delete;

  void run() {
    gate_.arrive_and_wait();
    add_half(0);
    gate_.arrive_and_wait();
  }

 private:
  void serve() {
    while (true) {
      gate_.arrive_and_wait();
      if (is_over_) return;
      add_half(1);
      gate_.arrive_and_wait();
    }
  }

  void add_half(std::size_t self) {
    float* own = partials_[self].data();
    const float* other = partials_[1 - self].data();
    const std::size_t half = partials_[0].size() / 2;
    for (std::size_t at = self * half; at < (self + 1) * half; ++at) own[at] += other[at];
    benchmark::ClobberMemory();
  }

  std::vector<float> partials_[2];
  bool is_over_ = false;
  std::barrier<> gate_{2};
  std::thread other_;
};

void compare(benchmark::State& state, const Sharding& sharding, const ProductShape& shape,
             std::string_view fma) {
  const auto subject =
      parse_product(fmt::format("matmul mesh=x2 i={} j={} k={} {} in=f32 run=threads fma={}",
                                shape.rows, shape.columns, shape.depth, sharding.layout, fma));
  if (!subject) {
    state.SkipWithError(print(subject.error()).c_str());
    return;
  }
  const Memory memory(*subject);
  Ranks ranks(*subject, memory.ranks());
  if (!ranks.run() || !is_right(*subject, sharding, memory.ranks())) {
    state.SkipWithError("not the plain loop's bits");
    return;
  }
  Interleaved turns(2.0 * static_cast<double>(shape.rows * shape.depth * shape.columns),
                    Clock::wall);
  turns.add("ours", [&] { ranks.run(); });
  const Case asked = *subject;
  ShardedBackend backend;
  turns.add("told", [&] { backend.run({asked, memory.ranks(), false}); });
  const auto a = numbers(static_cast<std::size_t>(shape.rows * shape.depth));
  const auto b = numbers(static_cast<std::size_t>(shape.depth * shape.columns));
  std::vector<float> c(static_cast<std::size_t>(shape.rows * shape.columns));
  ReduceScatter reduce_scatter(sharding.is_reduced ? c.size() : 0);
  for (const auto& peer : dense_peers<float>(2)) {
    turns.add(sharding.is_reduced ? peer.name + "+reduce_scatter" : peer.name, [&, peer] {
      peer.multiply(shape, a.data(), b.data(), c.data());
      if (sharding.is_reduced) reduce_scatter.run();
      benchmark::ClobberMemory();
    });
  }
  turns.run(state);
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<Sharding> shardings{
      {"M", "A[i/x,k] B[k,j] -> C[i/x,j] plan=local", false},
      {"K", "A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x", true}};
  const std::vector<ProductShape> shapes{{256, 256, 256},  {1024, 1024, 1024}, {16, 4096, 4096},
                                         {4096, 4096, 64}, {4096, 64, 4096},   {64, 65536, 64}};
  for (const Sharding& sharding : shardings) {
    for (const std::string_view fma : {"yes", "no"}) {
      for (const ProductShape& shape : shapes) {
        benchmark::RegisterBenchmark(
            fmt::format("{} split fma={}/{}x{}x{}", sharding.name, fma, shape.rows, shape.depth,
                        shape.columns)
                .c_str(),
            [=](benchmark::State& state) { compare(state, sharding, shape, fma); })
            ->UseManualTime()
            ->Iterations(30)
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
