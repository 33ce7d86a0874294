#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/expect.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/shrink.h>
#include <shardcheck/properties/judge/arena.h>
#include <shardcheck/properties/judge/judgement.h>
#include <shardcheck/properties/judge/relating.h>
#include <shardcheck/properties/judge/report.h>
#include <shardcheck/properties/judge/run_record.h>
#include <shardcheck/properties/kinds/calls/draw/calls.h>
#include <shardcheck/properties/kinds/judging.h>

namespace shardcheck {
namespace {

bool holds(const Verdict& verdict) {
  return verdict.status == Status::pass || verdict.status == Status::vacuous;
}

CallsCase parsed(const std::string& line) {
  auto subject = parse_calls(line);
  EXPECT_TRUE(subject.has_value()) << line << "\n" << print(subject.error());
  return *std::move(subject);
}

TEST(Collectives, RandomCasesPassAndEveryRelationIsCompared) {
  constexpr std::uint64_t cases = 6000;
  impl::ShardedBackend backend;
  std::array<std::uint64_t, relations.size()> compared{};
  std::uint64_t vacuous = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    SeededEntropy entropy(seed);
    const CallsCase subject = generate_calls(entropy);
    const CheckOptions further{.repeat = seed % 8 == 0,
                               .relating = seed % 2 == 0 ? Relating::every : Relating::none};
    const Verdict verdict = check(subject, backend, further);
    ASSERT_TRUE(holds(verdict)) << print(subject, verdict);
    if (verdict.status == Status::vacuous) ++vacuous;
    for (const Relation relation : verdict.relations) {
      ++compared[static_cast<std::size_t>(relation)];
    }
  }
  EXPECT_LT(vacuous, cases / 40);
  for (const Relation relation : relations_in_turn(Kind::calls)) {
    EXPECT_GT(compared[static_cast<std::size_t>(relation)], cases / 200) << name(relation);
  }
}

TEST(Collectives, WhatIsSmallerThanARandomCasePassesToo) {
  impl::ShardedBackend backend;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SeededEntropy entropy(seed);
    const std::vector<Case> candidates = smaller(generate_calls(entropy));
    for (std::size_t index = seed % 7; index < candidates.size(); index += 7) {
      const Verdict verdict = check(candidates[index], backend);
      ASSERT_TRUE(holds(verdict)) << print(candidates[index], verdict);
    }
  }
}

/// Of `parts` parts, by how they are uneven.
std::string sizes(std::string_view kind, int parts) {
  std::string text;
  for (int part = 0; part < parts; ++part) {
    int size = 2;
    if (kind == "uneven") size = 1 + part * 3 % 4;
    if (kind == "empties") size = part % 3 == 1 ? 3 : 0;
    text += fmt::format("{}{}", part == 0 ? "" : ",", size);
  }
  return text;
}

int total(std::string_view kind, int parts) {
  int sum = 0;
  for (int part = 0; part < parts; ++part) {
    sum += kind == "even" ? 2 : kind == "uneven" ? 1 + part * 3 % 4 : part % 3 == 1 ? 3 : 0;
  }
  return sum;
}

/// bf16 with f32 in between, so that partials round as they travel.
std::string small_case(Collective collective, Algorithm algorithm, int ranks, std::string_view kind,
                       std::string_view rest) {
  std::string line = fmt::format("{} mesh=x{}", name(collective), ranks);
  // A bruck all-to-all takes blocks of one size alone.
  const bool is_bruck_exchange =
      collective == Collective::all_to_all && algorithm == Algorithm::bruck;
  const std::string_view cut = is_bruck_exchange ? "even" : kind;
  line += fmt::format(" n={}", total(cut, ranks));
  if (divides(collective)) line += fmt::format(" split.n=sizes:{}", sizes(cut, ranks));
  if (has_root(collective)) line += fmt::format(" root={}", ranks / 2);
  return fmt::format("{} in=bf16 algorithm={} data=rounding:{} {}", line, name(algorithm), ranks,
                     rest);
}

class EveryAlgorithm : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryAlgorithm, PassesOnEveryNumberOfRanksWithEveryKindOfCut) {
  impl::ShardedBackend backend;
  int run = 0;
  for (std::size_t index = 0; index < collective_names.size(); ++index) {
    const auto collective = static_cast<Collective>(index);
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (int ranks = 1; ranks <= 17; ++ranks) {
        for (const std::string_view kind : {"even", "uneven", "empties"}) {
          const CallsCase subject =
              parsed(small_case(collective, algorithm, ranks, kind, GetParam()));
          const Verdict verdict = check(subject, backend);
          ASSERT_TRUE(holds(verdict)) << print(subject, verdict);
          ++run;
        }
      }
    }
  }
  EXPECT_EQ(run, 28 * 17 * 3);
}

std::string name_of(const testing::TestParamInfo<std::string_view>& parameter) {
  return parameter.index == 0 ? "OnFibers" : "OnThreads";
}

INSTANTIATE_TEST_SUITE_P(Collectives, EveryAlgorithm,
                         testing::Values("run=fibers:1", "run=threads"), name_of);

TEST(Collectives, EveryRootOfEveryAlgorithmPasses) {
  impl::ShardedBackend backend;
  for (const Collective collective :
       {Collective::reduce, Collective::broadcast, Collective::gather, Collective::scatter}) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (int ranks = 1; ranks <= 8; ++ranks) {
        for (int root = 0; root < ranks; ++root) {
          const CallsCase subject =
              parsed(fmt::format("{} mesh=x{} n=7 root={} in=bf16 algorithm={} data=rounding:{}",
                                 name(collective), ranks, root, name(algorithm), root));
          const Verdict verdict = check(subject, backend);
          ASSERT_TRUE(holds(verdict)) << print(subject, verdict);
        }
      }
    }
  }
}

/// The ending of the backend's run of a case that check() wouldn't run.
Ending ending_of(const CallsCase& subject, impl::ShardedBackend& backend) {
  std::vector<std::vector<std::byte>> memory;
  std::vector<RankMemory> ranks;
  std::int64_t room = subject.n;
  for (const auto& row : subject.counts) {
    for (const std::int64_t count : row) room += count;
  }
  const std::int64_t width = info(subject.dtypes.in).bytes;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    memory.emplace_back(static_cast<std::size_t>(input_elements(subject, rank) * width));
    memory.emplace_back(static_cast<std::size_t>(room * member_count(subject) * width));
  }
  std::vector<std::span<const std::byte>> inputs;
  for (std::size_t rank = 0; rank < memory.size() / 2; ++rank) {
    inputs.emplace_back(memory[2 * rank]);
  }
  for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
    ranks.push_back({std::span(inputs).subspan(rank, 1), memory[2 * rank + 1]});
  }
  const Case asked = subject;
  return backend.run({asked, ranks, false}).ending;
}

TEST(Collectives, ModelAndImplementationRefuseTheSameCases) {
  impl::ShardedBackend backend;
  int refused = 0;
  const auto compare = [&](const std::string& line) {
    const CallsCase subject = parsed(line);
    const bool is_illegal = !model::expect(subject).has_value();
    EXPECT_EQ(ending_of(subject, backend) == Ending::unsupported, is_illegal) << line;
    if (is_illegal) ++refused;
  };
  for (const Collective collective :
       {Collective::all_reduce, Collective::reduce_scatter, Collective::reduce}) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (int ranks = 1; ranks <= 5; ++ranks) {
        const std::string line = fmt::format("{} mesh=x{} n=6 op=matrix in=u32 algorithm={}",
                                             name(collective), ranks, name(algorithm));
        compare(line);
        if (has_root(collective) && ranks > 1) compare(line + " root=1");
      }
    }
  }
  for (const std::string_view size :
       {"n=6", "n=7", "n=0", "n=6 split.n=sizes:2,4,0", "n=6 split.n=cyclic:1",
        "n=3 split.n=sets:2|0|1", "counts=1,1,1|1,1,1|1,1,1", "counts=1,1,1|1,1,1|1,1,2",
        "counts=0,0,0|0,0,0|0,0,0"}) {
    compare(fmt::format("all_to_all mesh=x3 {} algorithm=bruck", size));
  }
  compare("all_reduce+reduce_scatter mesh=x2 n=4 op=matrix in=u32 algorithm=direct+ring");
  compare("all_reduce+all_to_all mesh=x2 n=3 algorithm=ring+bruck");
  EXPECT_GT(refused, 20);
}

/// Sums in the order of another algorithm, and says so.
class AnotherOrder final : public Backend {
 public:
  std::string_view name() const override { return "another order"; }
  Promises promises() const override { return {.declared_order = false}; }
  bool serves(Kind kind) const override { return kind == Kind::calls; }
  Observation run(const Request& request) override {
    Case asked = request.subject;
    CallsCase& other = std::get<CallsCase>(asked);
    for (Call& call : other.calls) {
      // The one that keeps the order of a matrix product, or the one that doesn't.
      if (!reduces(call.collective)) continue;
      const bool is_direct = call.algorithm == Algorithm::direct;
      const auto offered = algorithms_of(call.collective);
      call.algorithm =
          is_direct && other.op != Operator::matrix ? offered.front() : Algorithm::direct;
    }
    Observation observation = inner_.run({asked, request.ranks, request.trace});
    observation.ledger.reset();
    return observation;
  }

 private:
  impl::ShardedBackend inner_;
};

TEST(Collectives, WhoPromisesNoOrderIsHeldToNone) {
  AnotherOrder backend;
  std::int64_t judged_by_a_bound = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SeededEntropy entropy(seed);
    const CallsCase subject = generate_calls(entropy);
    const CheckOptions further{.repeat = seed % 8 == 0,
                               .relating = seed % 8 == 1 ? Relating::every : Relating::none};
    const Verdict verdict = check(subject, backend, further);
    ASSERT_TRUE(holds(verdict)) << print(subject, verdict);
    EXPECT_EQ(verdict.elements_by_grade[static_cast<std::size_t>(model::Grade::declared)], 0);
    judged_by_a_bound +=
        verdict.elements_by_grade[static_cast<std::size_t>(model::Grade::envelope)] +
        verdict.elements_by_grade[static_cast<std::size_t>(model::Grade::any_order)];
  }
  EXPECT_GT(judged_by_a_bound, 300);
}

/// What a person is told to replay is the related case's line.
TEST(Collectives, RelatedCasesCanBeWrittenDown) {
  impl::ShardedBackend backend;
  Arena arena;
  const Promises promises = backend.promises();
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SeededEntropy entropy(seed);
    const Case subject = generate_calls(entropy);
    const auto expectation = model::expect(subject);
    ASSERT_TRUE(expectation.has_value()) << print(subject);
    const RunRecord run = run_once(subject, **expectation, backend, arena);
    const Evidence evidence{subject, **expectation, promises, run};
    for (const Relation relation : relations_in_turn(Kind::calls)) {
      const auto comparison = judging_of(Kind::calls).relate(relation, evidence);
      if (!comparison) continue;
      for (const Case& related : comparison->cases()) {
        const std::string line = print(related);
        const auto again = parse(line);
        ASSERT_TRUE(again.has_value()) << name(relation) << " of " << print(subject) << "\n"
                                       << line << "\n"
                                       << print(again.error());
        EXPECT_EQ(print(*again), line);
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck
