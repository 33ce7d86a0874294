#pragma once

/// For tests: random cases, and what their elements are by definition.

#include <cstdint>
#include <random>
#include <vector>

#include <shardcheck/model/case/product_case.h>

namespace shardcheck::impl {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(bound));
  }
  bool one_in(std::int64_t chances) { return below(chances) == 0; }
  std::uint64_t bits() { return random_(); }

 private:
  std::mt19937_64 random_;
};

/// One to three mesh axes, some of one rank.
Mesh draw_mesh(Draw& draw);

/// Any rule; parts may be empty.
Split draw_split(Draw& draw, std::int64_t extent, std::int64_t parts);

/// Integers, small and often uneven, over any layouts.
ProductCase draw_case(Draw& draw);

/// The sum over `ks` for the element at i·J + j, in integers of 64 bits, modulo 2^width of out.
Bits plain_sum(const ProductCase& subject, std::int64_t coordinate,
               const std::vector<std::int64_t>& ks);

}  // namespace shardcheck::impl
