#pragma once

/// Every small case, one after the other: what can go wrong at all mostly goes wrong at two ranks
/// and sizes of two, and there nothing need be left to chance.
///
///     SmallCases cases({.ranks = 2, .size = 2});
///     while (const auto subject = cases.next()) check(*subject, backend);
///
/// A case is drawn as elsewhere, but from uniform choices and with an entropy that walks all of
/// them in turn; a path that leads to no legal case is left out. Two paths never lead to one line.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/product_case.h>

#include "entropy.h"

namespace shardcheck {

inline constexpr std::int64_t small_axes_max = 3;
inline constexpr std::int64_t small_size_max = 64;

/// Bounds: ranks from 1 to limits::ranks, axes from 1 and size from 0 to what stands above.
struct SmallSpace {
  std::int64_t ranks = 2;  ///< meshes of up to so many
  std::int64_t axes = 1;   ///< mesh axes, up to; called x, y, z
  std::int64_t size = 2;   ///< i, j and k from 0 to that
  /// How axes are cut: balanced, ceil, cyclic (blocks of 1), sizes (every composition). Where an
  /// axis of two tensors is cut into different numbers of parts, `sizes` doesn't apply.
  std::vector<Split::Rule> rules{Split::Rule::balanced};
  /// `auto`, and every legal plan of up to so many steps, exchanges without brackets.
  std::int64_t steps = 2;
  std::string words{};  ///< further keys of each case: "in=bf16 data=rounding:1"
};

/// Nothing, or what is wrong, in one line.
tl::expected<void, std::string> validate(const SmallSpace& space);

/// Walks every sequence of choices, the last choice fastest.
class WalkingEntropy final : public Entropy {
 public:
  std::uint64_t below(std::uint64_t bound) override;
  /// To the next sequence; false after the last one.
  bool advance();

 private:
  struct Choice {
    std::uint64_t value = 0;
    std::uint64_t bound = 1;
  };
  std::vector<Choice> path_;
  std::size_t depth_ = 0;
};

/// One thread.
class SmallCases {
 public:
  /// Requires: valid.
  explicit SmallCases(SmallSpace space);

  /// The next case; nothing after the last.
  std::optional<ProductCase> next();

 private:
  std::optional<ProductCase> draw();
  const std::vector<ProductCase>& with_each_plan(const ProductCase& subject);

  SmallSpace space_;
  ProductCase base_;  ///< dtypes, data, promises and schedule of every case
  WalkingEntropy entropy_;
  bool is_at_end_ = false;
  std::optional<std::pair<ProductCase, std::vector<ProductCase>>>
      planned_;  ///< the last case's plans
};

/// How many cases next() gives. Takes about a third of the time that running them takes.
std::int64_t count_of(const SmallSpace& space);

}  // namespace shardcheck
