// NaN, infinities, zeros and wrapping in every collective and algorithm: each rule by itself, on
// our implementation's results, and through check(), so that the model says the same. Expected
// values come from the rules, never from either side. Sizes lie around the widths of vector
// registers.

#include <array>
#include <cstdint>
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
#include <shardcheck/properties/judge/arena.h>
#include <shardcheck/properties/judge/report.h>
#include <shardcheck/properties/judge/run_record.h>

namespace shardcheck {
namespace {

constexpr std::int64_t members = 5;
constexpr std::array<std::int64_t, 5> widths{1, 7, 8, 17, 33};
constexpr std::array<std::string_view, 5> floats{"f32", "f64", "bf16", "f16", "f8e5m2"};

Bits value(Dtype dtype, std::string_view text) { return *parse_value(dtype, text); }

/// The collective over five members, every element `text`.
CallsCase filled(Collective collective, Algorithm algorithm, std::int64_t n, std::string_view rest,
                 std::string_view text) {
  const auto subject = parse_calls(fmt::format("{} mesh=x{} n={} algorithm={} {}", name(collective),
                                               members, n, name(algorithm), rest));
  if (!subject) {
    ADD_FAILURE() << print(subject.error());
    return {};
  }
  CallsCase given = *subject;
  given.data.regime = Data::Regime::given;
  for (std::int64_t rank = 0; rank < members; ++rank) {
    given.data.given.emplace_back(static_cast<std::size_t>(input_elements(given, rank)),
                                  value(given.dtypes.in, text));
  }
  return given;
}

struct Result {
  std::int64_t rank = 0;
  std::int64_t coordinate = 0;
  std::string text;  ///< as printed: "nan", "-0", "-inf"
};

/// What every rank ends with. check() has to agree: that is what the model says.
std::vector<Result> results(const CallsCase& subject) {
  impl::ShardedBackend backend;
  const Verdict verdict = check(subject, backend);
  EXPECT_TRUE(verdict.status == Status::pass || verdict.status == Status::vacuous)
      << print(subject, verdict);
  const auto expectation = model::expect(subject);
  Arena arena;
  const RunRecord run = run_once(subject, **expectation, backend, arena);
  std::vector<Result> all;
  for (std::size_t rank = 0; rank < run.bits.size(); ++rank) {
    for (std::size_t at = 0; at < run.bits[rank].size(); ++at) {
      all.push_back({static_cast<std::int64_t>(rank), run.observation.owned[rank][at],
                     print_value(subject.dtypes.out, run.bits[rank][at])});
    }
  }
  return all;
}

template <typename Action>
void for_each_reduction(const Action& action) {
  for (const Collective collective :
       {Collective::all_reduce, Collective::reduce_scatter, Collective::reduce}) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (const std::int64_t n : widths) {
        SCOPED_TRACE(fmt::format("{} {} n={}", name(collective), name(algorithm), n));
        action(collective, algorithm, n);
      }
    }
  }
}

/// `special` at the position, `usual` elsewhere.
void expect_just_at(const CallsCase& subject, std::int64_t position, std::string_view special,
                    std::string_view usual) {
  const std::vector<Result> all = results(subject);
  EXPECT_FALSE(all.empty());
  for (const Result& one : all) {
    EXPECT_EQ(one.text, one.coordinate == position ? special : usual)
        << "rank " << one.rank << ", coordinate " << one.coordinate << ": " << print(subject);
  }
}

TEST(SpecialCollectives, ANanOnAnyMemberMakesNanThereAndNowhereElse) {
  for_each_reduction([](Collective collective, Algorithm algorithm, std::int64_t n) {
    for (const auto& [op, usual] :
         {std::pair{"sum", "5"}, std::pair{"product", "1"}, std::pair{"min", "1"},
          std::pair{"max", "1"}, std::pair{"average", "1"}}) {
      for (std::int64_t member = 0; member < members; ++member) {
        CallsCase subject = filled(collective, algorithm, n, fmt::format("op={} in=bf16", op), "1");
        subject.data.given[static_cast<std::size_t>(member)][static_cast<std::size_t>(n - 1)] =
            value(Dtype::bf16, "nan");
        expect_just_at(subject, n - 1, "nan", usual);
      }
    }
  });
}

TEST(SpecialCollectives, InfinitiesOfBothSignsAddUpToNan) {
  for_each_reduction([](Collective collective, Algorithm algorithm, std::int64_t n) {
    for (const std::string_view in : floats) {
      CallsCase subject = filled(collective, algorithm, n, fmt::format("in={}", in), "1");
      const Dtype dtype = subject.dtypes.in;
      subject.data.given[1][0] = value(dtype, "inf");
      expect_just_at(subject, 0, "inf", "5");
      subject.data.given[4][0] = value(dtype, "-inf");
      expect_just_at(subject, 0, "nan", "5");
    }
  });
}

TEST(SpecialCollectives, ZeroTimesInfinityIsNan) {
  for_each_reduction([](Collective collective, Algorithm algorithm, std::int64_t n) {
    CallsCase subject = filled(collective, algorithm, n, "op=product", "1");
    subject.data.given[0][0] = value(Dtype::f32, "0");
    subject.data.given[3][0] = value(Dtype::f32, "-inf");
    expect_just_at(subject, 0, "nan", "1");
  });
}

TEST(SpecialCollectives, NegativeZerosSumToNegativeZeroAndOnePositiveTakesTheSignAway) {
  for_each_reduction([](Collective collective, Algorithm algorithm, std::int64_t n) {
    for (const std::string_view in : floats) {
      CallsCase subject = filled(collective, algorithm, n, fmt::format("in={}", in), "-0");
      expect_just_at(subject, -1, "", "-0");
      subject.data.given[2][0] = value(subject.dtypes.in, "0");
      expect_just_at(subject, 0, "0", "-0");
    }
  });
}

TEST(SpecialCollectives, MinAndMaxTellTheZerosApart) {
  for_each_reduction([](Collective collective, Algorithm algorithm, std::int64_t n) {
    for (std::int64_t member = 0; member < members; ++member) {
      CallsCase least = filled(collective, algorithm, n, "op=min in=f16", "0");
      least.data.given[static_cast<std::size_t>(member)][0] = value(Dtype::f16, "-0");
      expect_just_at(least, 0, "-0", "0");
      CallsCase most = filled(collective, algorithm, n, "op=max in=f16", "-0");
      most.data.given[static_cast<std::size_t>(member)][0] = value(Dtype::f16, "0");
      expect_just_at(most, 0, "0", "-0");
    }
  });
}

TEST(SpecialCollectives, IntegersWrapInTheBodyAndInTheTailAlike) {
  for_each_reduction([](Collective collective, Algorithm algorithm, std::int64_t n) {
    // 5·100 − 512 and 5·200 − 3·256; 3^5·… of a product: 100^5 mod 256 = 0, 7^5 mod 256 = 167.
    expect_just_at(filled(collective, algorithm, n, "in=i8", "100"), -1, "", "-12");
    expect_just_at(filled(collective, algorithm, n, "in=u8", "200"), -1, "", "232");
    expect_just_at(filled(collective, algorithm, n, "in=u8 op=product", "7"), -1, "", "167");
    // The wrapped sum, −12, divided and truncated towards 0.
    expect_just_at(filled(collective, algorithm, n, "in=i8 op=average", "100"), -1, "", "-2");
  });
}

TEST(SpecialCollectives, WhatTravelsAboveTheLargestIsInfinityOrNanByItsFormat) {
  for_each_reduction([](Collective collective, Algorithm algorithm, std::int64_t n) {
    expect_just_at(filled(collective, algorithm, n, "in=f8e5m2", "57344"), -1, "", "inf");
    expect_just_at(filled(collective, algorithm, n, "in=f8e4m3fn", "-448"), -1, "", "nan");
  });
}

TEST(SpecialCollectives, MovesLeaveEveryValueAsItIs) {
  for (const Collective collective :
       {Collective::all_gather, Collective::broadcast, Collective::gather, Collective::scatter,
        Collective::all_to_all, Collective::permute}) {
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (const std::string_view in : floats) {
        for (const std::string_view text : {"nan", "inf", "-inf", "-0"}) {
          SCOPED_TRACE(fmt::format("{} {} {}", name(collective), name(algorithm), in));
          expect_just_at(filled(collective, algorithm, 35, fmt::format("in={}", in), text), -1, "",
                         text);
        }
      }
    }
  }
}

}  // namespace
}  // namespace shardcheck
