#pragma once

/// For the judge's own tests: sums over two ranks, written out by hand, with one thing altered.
///
///     x_0 = 1 2 3 4, x_1 = 5 6 7 8: their sum is 6 8 10 12; rank 0 keeps 6 8, rank 1 keeps 10 12
///     and each sends the other's half, 8 bytes. An all_reduce sends the finished halves too.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <shardcheck/model/case/element.h>
#include <shardcheck/properties/by_hand/by_hand.h>

namespace shardcheck {

inline constexpr std::string_view halves_line =
    "reduce_scatter mesh=x2 n=4 in=i32 data=given X=1,2,3,4|5,6,7,8";
inline constexpr std::string_view whole_line =
    "all_reduce mesh=x2 n=4 in=i32 data=given X=1,2,3,4|5,6,7,8";

inline void put(std::span<std::byte> output, std::int64_t position, Bits value) {
  store(output, Dtype::i32, position, value);
}

/// reduce_scatter and all_reduce of four numbers of dtype i32 over two ranks, by a ring.
class SummingPair final : public ByHand {
 public:
  explicit SummingPair(Tampering alter = {}, Promises promises = {})
      : ByHand(Kind::calls, std::move(alter), promises) {}

 protected:
  Observation answer(const Request& request) override {
    const auto& subject = std::get<CallsCase>(request.subject);
    Observation observation;
    if (subject.calls.size() != 1 || subject.n != 4) {
      observation.ending = Ending::unsupported;
      observation.cause = "four numbers in one call alone";
      return observation;
    }
    const bool is_whole = subject.calls[0].collective == Collective::all_reduce;
    const Dtype in = subject.dtypes.in;
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
    return observation;
  }
};

inline Verdict judged_pair(Tampering alter, std::string_view line = halves_line,
                           const CheckOptions& options = {}) {
  SummingPair backend(std::move(alter));
  return check(parsed(line), backend, options);
}

}  // namespace shardcheck
