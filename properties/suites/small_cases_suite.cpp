#include <array>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {
namespace {

struct Consumer {
  std::string_view layout;
  std::string_view plan;  ///< the textbook's: multiply first, then reduce as the consumer needs
};

constexpr std::array<Consumer, 4> consumers{{{"C[i/x,j]", "local+reduce_scatter:C/x"},
                                             {"C[i,j/x]", "local+reduce_scatter:C/x"},
                                             {"C[i,j]", "local+all_reduce:C/x"},
                                             {"C[i,j]+x", "local"}}};

/// As many as the collective with the most algorithms has.
constexpr std::size_t choices = offered::all_reduce.size();

std::string_view algorithm(Collective collective, std::size_t choice) {
  const auto offered = algorithms_of(collective);
  return name(offered[choice % offered.size()]);
}

/// One line for each way to ask for the smallest products; what can go wrong at all mostly goes
/// wrong here, and nothing is left to chance. At these sizes moving an operand is often cheaper
/// than reducing, so that `auto` alone would leave the reductions out.
template <typename Visit>
void for_each_small_case(std::string_view options, const Visit& visit) {
  for (int ranks = 1; ranks <= 4; ++ranks) {
    for (int sizes = 0; sizes < 27; ++sizes) {
      for (const Consumer& consumer : consumers) {
        for (std::size_t choice = 0; choice < choices; ++choice) {
          const std::string line = fmt::format(
              "matmul mesh=x{} i={} j={} k={} A[i,k/x] B[k/x,j] -> {} algorithm.all_reduce={} "
              "algorithm.reduce_scatter={} algorithm.all_gather={} {}",
              ranks, sizes / 9, sizes / 3 % 3, sizes % 3, consumer.layout,
              algorithm(Collective::all_reduce, choice),
              algorithm(Collective::reduce_scatter, choice),
              algorithm(Collective::all_gather, choice), options);
          visit(line);
          visit(fmt::format("{} plan={}", line, consumer.plan));
        }
      }
    }
  }
}

class SmallCases : public testing::TestWithParam<std::string_view> {};

TEST_P(SmallCases, AllPass) {
  impl::ShardedBackend backend;
  int run = 0;
  for_each_small_case(GetParam(), [&](const std::string& line) {
    const auto subject = parse_product(line);
    ASSERT_TRUE(subject.has_value()) << line << "\n" << print(subject.error());
    const Verdict verdict = check(*subject, backend);
    // One product of two rounded values may well not show a mistake; that is not a failure.
    const bool holds = verdict.status == Status::pass || verdict.status == Status::vacuous;
    EXPECT_TRUE(holds) << print(*subject, verdict);
    ++run;
  });
  EXPECT_EQ(run, 4 * 27 * 4 * static_cast<int>(choices) * 2);
}

std::string name_of(const testing::TestParamInfo<std::string_view>& parameter) {
  constexpr std::array<std::string_view, 3> names{"FloatsThatRound", "ExactFloats", "Integers"};
  return std::string(names[parameter.index]);
}

INSTANTIATE_TEST_SUITE_P(Matmul, SmallCases,
                         testing::Values("in=f32 data=rounding:1", "in=f32 data=ints:1",
                                         "in=i32 data=ints:1"),
                         name_of);

}  // namespace
}  // namespace shardcheck
