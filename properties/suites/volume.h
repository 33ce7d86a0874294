#pragma once

/// Correct results by the million, none of which may be flagged: every legal combination of dtypes
/// with each algorithm of a plan, each kernel, each regime, fused and not. The quick suite takes a
/// sample of what the slow one runs in full.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck::volume {

struct Counts {
  std::int64_t combinations = 0;
  std::int64_t cases = 0;
  std::int64_t flagged = 0;  ///< cases with a finding
  std::array<std::int64_t, model::grade_names.size()> by_grade{};

  std::int64_t of(model::Grade grade) const { return by_grade[static_cast<std::size_t>(grade)]; }
  std::int64_t elements() const {
    std::int64_t sum = 0;
    for (const std::int64_t count : by_grade) sum += count;
    return sum;
  }
};

/// Way number `n` to ask for a product of these dtypes; after a few dozen it is one that was there
/// before, with other data.
inline std::string line_of(const DtypeCombination& dtypes, std::int64_t n, std::string_view shape) {
  std::int64_t left = n;
  const auto choose = [&left](std::int64_t count) {
    const std::int64_t choice = left % count;
    left /= count;
    return static_cast<std::size_t>(choice);
  };
  std::vector<std::string_view> drawn;
  for (const RegimeInfo& regime : regimes) {
    if (regime.regime != Data::Regime::given) drawn.push_back(regime.name);
  }
  constexpr std::array<std::string_view, 2> results{"C[i/x,j] plan=local+reduce_scatter:C/x",
                                                    "C[i,j] plan=local+all_reduce:C/x"};
  constexpr std::array<std::string_view, 2> kernels{"ordered", "fast"};
  constexpr std::array<std::string_view, 2> fmas{"no", "yes"};
  const std::string_view regime = drawn[choose(static_cast<std::int64_t>(drawn.size()))];
  const auto all = algorithms_of(Collective::all_reduce);
  const auto scatter = algorithms_of(Collective::reduce_scatter);
  const std::size_t algorithm = choose(static_cast<std::int64_t>(all.size()));
  const std::string_view result = results[choose(2)];
  const std::string_view kernel = kernels[choose(2)];
  const std::string_view fma = fmas[choose(2)];
  return fmt::format(
      "matmul {} A[i,k/x] B[k/x,j] -> {} in={} acc={} wire={} out={} kernel={} fma={} data={}:{} "
      "algorithm.all_reduce={} algorithm.reduce_scatter={}",
      shape, result, info(dtypes.in).name, info(dtypes.acc).name, info(dtypes.wire).name,
      info(dtypes.out).name, kernel, fma, regime, n + 1, name(all[algorithm]),
      name(scatter[algorithm % scatter.size()]));
}

/// Cases of each combination until so many elements of it are judged.
inline Counts judge(std::string_view shape, std::int64_t elements) {
  Counts counts;
  impl::ShardedBackend backend;
  for (const DtypeCombination& dtypes : legal_combinations()) {
    ++counts.combinations;
    std::int64_t judged = 0;
    // Where few cases are enough, other combinations take other ways.
    for (std::int64_t n = 7 * counts.combinations; judged < elements; ++n) {
      const std::string line = line_of(dtypes, n, shape);
      const auto subject = parse_product(line);
      if (!subject) {
        ADD_FAILURE() << line << "\n" << print(subject.error());
        return counts;
      }
      const Verdict verdict = check(*subject, backend);
      ++counts.cases;
      for (std::size_t grade = 0; grade < counts.by_grade.size(); ++grade) {
        counts.by_grade[grade] += verdict.elements_by_grade[grade];
        judged += verdict.elements_by_grade[grade];
      }
      const bool holds = verdict.status == Status::pass || verdict.status == Status::vacuous;
      if (holds) continue;
      ++counts.flagged;
      ADD_FAILURE() << print(*subject, verdict);
      if (counts.flagged > 10 || verdict.status == Status::illegal) return counts;
    }
  }
  return counts;
}

inline void show(std::string_view what, const Counts& counts) {
  fmt::print("{}: {} combinations, {} cases, {} elements, {} cases flagged\n", what,
             counts.combinations, counts.cases, counts.elements(), counts.flagged);
  for (std::size_t grade = 0; grade < counts.by_grade.size(); ++grade) {
    fmt::print("  {} {}\n", model::grade_names[grade], counts.by_grade[grade]);
  }
}

inline void expect_nothing_flagged(std::string_view what, std::string_view shape,
                                   std::int64_t elements) {
  const Counts counts = judge(shape, elements);
  show(what, counts);
  EXPECT_EQ(counts.flagged, 0);
  EXPECT_EQ(counts.combinations, static_cast<std::int64_t>(legal_combinations().size()));
  EXPECT_GE(counts.elements(), counts.combinations * elements);
  EXPECT_EQ(counts.of(model::Grade::envelope), 0);
}

}  // namespace shardcheck::volume
