// impl's conversions of f32 against the definition, on all 2^32 patterns. Minutes, not seconds:
// label slow.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <shardcheck/impl/numbers/convert.h>
#include <shardcheck/model/case/element.h>
#include <shardcheck/model/exact/format.h>

namespace shardcheck {
namespace {

constexpr std::uint32_t infinity = 0x7f800000;
constexpr std::uint32_t sign = 0x80000000;
constexpr std::int64_t block_patterns = std::int64_t{1} << 20;
/// Inside a run of equal results the definition is asked so many times more.
constexpr std::uint32_t questions_a_run = 6;
/// And at every so manieth pattern, runs or not; a prime, so that no field of bits stands still.
constexpr std::uint32_t stride = 4093;
constexpr int failures_max = 10;

/// Rounding to nearest is monotone: if x <= y then round(x) <= round(y), overflow included. So
/// where the definition says the same at both ends of a run of consecutive magnitudes, it says so
/// of all between; and where impl says the same of all of the run and agrees at the ends, all of
/// the run is right. The definition is therefore asked at both ends of each run that impl makes,
/// about 2^17 times a format instead of 2^32; that its code is monotone too is looked at by
/// questions inside the runs and at a stride.
class Comparison {
 public:
  explicit Comparison(Dtype to) : to_(to), width_(info(to).bytes) {}

  /// Feeds the results for magnitudes first, first + 1, …; `minus` is 0 or the sign bit.
  void add(std::uint32_t minus, std::uint32_t first, std::span<const std::byte> results) {
    const auto count = static_cast<std::int64_t>(results.size()) / width_;
    for (std::int64_t at = 0; at < count; ++at) {
      const auto magnitude = first + static_cast<std::uint32_t>(at);
      const Bits result = width_ == 1 ? static_cast<Bits>(results[static_cast<std::size_t>(at)])
                                      : load(results, to_, at);
      if (magnitude >= infinity) {
        // Infinities and NaNs have no neighbours to go by.
        end_run(minus);
        ask(minus, magnitude, result);
        continue;
      }
      if (!is_open_ || result != run_result_) start_run(minus, magnitude, result);
      run_last_ = magnitude;
      if (magnitude % stride == 0) ask(minus, magnitude, result);
    }
  }

  void end_run(std::uint32_t minus) {
    if (!is_open_) return;
    for (std::uint32_t question = 0; question <= questions_a_run + 1; ++question) {
      const auto offset = static_cast<std::uint64_t>(run_last_ - run_first_) * question;
      ask(minus, run_first_ + static_cast<std::uint32_t>(offset / (questions_a_run + 1)),
          run_result_);
    }
    is_open_ = false;
    runs_ += 1;
  }

  std::int64_t runs() const { return runs_; }
  std::int64_t questions() const { return questions_; }

 private:
  void start_run(std::uint32_t minus, std::uint32_t magnitude, Bits result) {
    end_run(minus);
    is_open_ = true;
    run_first_ = magnitude;
    run_result_ = result;
  }

  void ask(std::uint32_t minus, std::uint32_t magnitude, Bits result) {
    questions_ += 1;
    const Bits right = model::convert(Dtype::f32, to_, minus | magnitude);
    if (result == right || failures_ >= failures_max) return;
    failures_ += 1;
    ADD_FAILURE() << fmt::format("f32 {:#010x} to {}: impl says {:#x}, the definition {:#x}",
                                 minus | magnitude, info(to_).name, result, right);
  }

  Dtype to_;
  std::int64_t width_;
  bool is_open_ = false;
  std::uint32_t run_first_ = 0;
  std::uint32_t run_last_ = 0;
  Bits run_result_ = 0;
  std::int64_t runs_ = 0;
  std::int64_t questions_ = 0;
  int failures_ = 0;
};

class EveryFloat : public testing::TestWithParam<Dtype> {};

TEST_P(EveryFloat, IsNarrowedAsTheDefinitionSays) {
  const Dtype to = GetParam();
  Comparison comparison(to);
  std::vector<float> numbers(block_patterns);
  std::vector<std::byte> results(static_cast<std::size_t>(block_patterns * info(to).bytes));
  constexpr std::uint64_t magnitudes = std::uint64_t{1} << 31U;
  for (const std::uint32_t minus : {0U, sign}) {
    for (std::uint64_t first = 0; first < magnitudes; first += block_patterns) {
      for (std::int64_t at = 0; at < block_patterns; ++at) {
        numbers[static_cast<std::size_t>(at)] = std::bit_cast<float>(
            minus | static_cast<std::uint32_t>(first + static_cast<std::uint64_t>(at)));
      }
      impl::narrow(impl::Storage::f32, reinterpret_cast<const std::byte*>(numbers.data()), to,
                   results.data(), block_patterns);
      comparison.add(minus, static_cast<std::uint32_t>(first), results);
      if ((first + block_patterns) % (magnitudes / 8) == 0) {
        fmt::print("{}: {} of 16 parts\n", info(to).name,
                   (first + block_patterns) / (magnitudes / 8) + (minus == 0 ? 0 : 8));
      }
    }
  }
  fmt::print("{}: {} runs, the definition asked {} times\n", info(to).name, comparison.runs(),
             comparison.questions());
}

std::string name_of(const testing::TestParamInfo<Dtype>& parameter) {
  return std::string(info(parameter.param).name);
}

INSTANTIATE_TEST_SUITE_P(Conversions, EveryFloat,
                         testing::Values(Dtype::f8e4m3fn, Dtype::f8e5m2, Dtype::f16, Dtype::bf16),
                         name_of);

}  // namespace
}  // namespace shardcheck
