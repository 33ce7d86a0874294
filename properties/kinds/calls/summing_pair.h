#pragma once

/// For the judge's own tests: sums over two ranks as a backend, written out by hand, with one thing
/// altered. It shares nothing with impl/, so that the judge is tested against the definition.
///
///     x_0 = 1 2 3 4, x_1 = 5 6 7 8: their sum is 6 8 10 12; rank 0 keeps 6 8, rank 1 keeps 10 12
///     and each sends the other's half, 8 bytes. An all_reduce sends the finished halves too.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/case/element.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

namespace shardcheck {

inline constexpr std::string_view halves_line =
    "reduce_scatter mesh=x2 n=4 in=i32 data=given X=1,2,3,4|5,6,7,8";
inline constexpr std::string_view whole_line =
    "all_reduce mesh=x2 n=4 in=i32 data=given X=1,2,3,4|5,6,7,8";

inline CallsCase parsed_collective(std::string_view line) {
  auto subject = parse_calls(line);
  EXPECT_TRUE(subject.has_value()) << line << "\n" << print(subject.error());
  return *std::move(subject);
}

using CollectiveTampering = std::function<void(const Request&, Observation&)>;

/// reduce_scatter and all_reduce of four numbers of dtype i32 over two ranks, by a ring.
class SummingPair final : public Backend {
 public:
  explicit SummingPair(CollectiveTampering alter = {}, Promises promises = {})
      : alter_(std::move(alter)), promises_(promises) {}

  std::string_view name() const override { return "summing pair"; }
  Promises promises() const override { return promises_; }

  Observation run(const Request& request) override {
    Observation observation;
    if (request.subject.calls.size() != 1 || request.subject.n != 4) {
      observation.ending = Ending::unsupported;
      observation.cause = "four numbers in one call alone";
      return observation;
    }
    const bool is_whole = request.subject.calls[0].collective == Collective::all_reduce;
    const Dtype in = request.subject.dtypes.in;
    std::vector<Bits> sum;
    for (std::int64_t at = 0; at < 4; ++at) {
      const Bits added =
          load(request.ranks[0].inputs[0], in, at) + load(request.ranks[1].inputs[0], in, at);
      sum.push_back(added & 0xffffffffU);
    }
    for (std::size_t rank = 0; rank < 2; ++rank) {
      std::vector<std::int64_t>& owned = observation.owned.emplace_back();
      for (std::int64_t at = 0; at < 4; ++at) {
        if (!is_whole && static_cast<std::size_t>(at) / 2 != rank) continue;
        store(request.ranks[rank].output, in, static_cast<std::int64_t>(owned.size()),
              sum[static_cast<std::size_t>(at)]);
        owned.push_back(at);
      }
    }
    const std::int64_t bytes = is_whole ? 16 : 8;
    const std::vector<Transfer> transfers{{0, 0, 1, bytes, 1}, {0, 1, 0, bytes, 1}};
    observation.ledger = Ledger{transfers, transfers};
    observation.left_over.emplace();
    if (alter_) alter_(request, observation);
    return observation;
  }

 private:
  CollectiveTampering alter_;
  Promises promises_;
};

inline Verdict judged_pair(CollectiveTampering alter, std::string_view line = halves_line,
                           const CheckOptions& options = {}) {
  SummingPair backend(std::move(alter));
  return check(parsed_collective(line), backend, options);
}

inline void put(std::span<std::byte> output, std::int64_t position, Bits value) {
  store(output, Dtype::i32, position, value);
}

}  // namespace shardcheck
