#pragma once

/// For the judge's own tests: the worked example, written out by hand, with one thing altered.
///
///     A = [1 2; 3 4], B = [5 6; 7 8], K split over two ranks.
///     Partials: [5 6; 15 18] on rank 0, [14 16; 28 32] on rank 1.
///     Rank 0 sends [15 18], rank 1 sends [14 16]; they own [19 22] and [43 50].

#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "by_hand.h"

namespace shardcheck {

inline constexpr std::string_view worked_example_line =
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
    "data=given A=1,2,3,4 B=5,6,7,8";

inline float element(std::span<const std::byte> buffer, std::size_t index) {
  float value = 0;
  std::memcpy(&value, buffer.data() + index * sizeof value, sizeof value);
  return value;
}

inline void put(std::span<std::byte> buffer, std::size_t index, float value) {
  std::memcpy(buffer.data() + index * sizeof value, &value, sizeof value);
}

inline LocalProduct product(std::int64_t rank, std::vector<std::int64_t> a_columns,
                            std::vector<std::int64_t> b_rows) {
  LocalProduct made;
  made.rank = rank;
  made.a_columns = std::move(a_columns);
  made.b_rows = std::move(b_rows);
  return made;
}

/// Any 2×2×2 case in f32 over x2 with K split and rows wanted.
class WorkedExample final : public ByHand {
 public:
  explicit WorkedExample(Tampering alter = {}) : ByHand(Kind::product, std::move(alter)) {}

 protected:
  Observation answer(const Request& request) override {
    Observation observation;
    for (std::size_t row = 0; row < 2; ++row) {
      // Rank r holds column r of A and row r of B, and owns row r of C. The other rank's partial
      // comes first: it travels, then the owner adds its own.
      const std::size_t other = 1 - row;
      for (std::size_t column = 0; column < 2; ++column) {
        const auto term = [&](std::size_t k) {
          const auto inputs = request.ranks[k].inputs;
          return 0.0F + element(inputs[0], row) * element(inputs[1], column);
        };
        put(request.ranks[row].output, column, term(other) + term(row));
      }
    }
    observation.owned = {{0, 1}, {2, 3}};
    observation.steps = *parse_plan(setting(request.subject).mesh, "local+reduce_scatter:C/x");
    observation.products = {product(0, {0}, {0}), product(1, {1}, {1})};
    const std::vector<Transfer> transfers{{1, 0, 1, 8, 1}, {1, 1, 0, 8, 1}};
    observation.ledger = Ledger{transfers, transfers};
    observation.left_over.emplace();
    return observation;
  }
};

inline Verdict judged(Tampering alter, std::string_view line = worked_example_line) {
  WorkedExample backend(std::move(alter));
  return check(parsed(line), backend);
}

}  // namespace shardcheck
