#pragma once

/// The documented reduction tree of every algorithm: in which order the members' partials become
/// one value, and which of them were rounded to wire on the way (docs/collectives.md, "Values").
/// For collectives alone and for those of a plan, for every number of members.
///
/// Two calls of the arithmetic are all that a tree is made of:
///
///     Value combine(x, y)         x ⊕ y, x from the lower members where both come from others
///     Value through_wire(x)       rounded to wire and widened again: x travelled
///
/// Source: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
/// MPICH" (2005).

#include <cstddef>
#include <cstdint>
#include <vector>

#include <shardcheck/model/case/algorithm.h>
#include <shardcheck/model/case/contract.h>

#include "folded_ranks.h"

namespace shardcheck::model {

/// The part, of `part_count` parts cut `balanced`, that a position of `count` is in.
constexpr std::int64_t balanced_part(std::int64_t position, std::int64_t count,
                                     std::int64_t part_count) {
  const std::int64_t length = count / part_count;
  const std::int64_t longer = count % part_count;
  if (position < longer * (length + 1)) return position / (length + 1);
  return longer + (position - longer * (length + 1)) / length;
}

/// Blocks that an all_reduce cuts the vector into.
inline std::int64_t all_reduce_blocks(Algorithm algorithm, std::int64_t member_count) {
  return algorithm == Algorithm::rabenseifner ? FoldedRanks(member_count).count : member_count;
}

/// The tree of one element, given where the element is finished.
struct ReductionTree {
  Algorithm algorithm = Algorithm::ring;
  /// ring, direct, pairwise, binomial, chain: the member that ends up with it; halving,
  /// rabenseifner: the folded rank. doubling: all do.
  std::int64_t end = 0;
};

/// Of an element of block `b`. Requires: the collective reduces and offers the algorithm.
/// `b`: reduce_scatter: the member that keeps it; all_reduce: its block; reduce: the root.
inline ReductionTree reduction_tree(Collective collective, Algorithm algorithm,
                                    std::int64_t member_count, std::int64_t b) {
  if (algorithm == Algorithm::halving) return {algorithm, FoldedRanks(member_count).folded(b)};
  if (collective == Collective::all_reduce && algorithm == Algorithm::binomial) {
    return {algorithm, 0};
  }
  return {algorithm, b};
}

/// The values of the folded ranks once the others have sent them theirs.
template <class Arithmetic, class Partial>
std::vector<typename Arithmetic::Value> folded_partials(const Arithmetic& arithmetic,
                                                        const FoldedRanks& ranks,
                                                        const Partial& partial) {
  std::vector<typename Arithmetic::Value> values;
  values.reserve(static_cast<std::size_t>(ranks.count));
  for (std::int64_t v = 0; v < ranks.count; ++v) {
    const std::int64_t m = ranks.member(v);
    values.push_back(ranks.is_pair(v)
                         ? arithmetic.combine(arithmetic.through_wire(partial(m - 1)), partial(m))
                         : partial(m));
  }
  return values;
}

/// ring, direct, pairwise and chain: one after the other.
template <class Arithmetic, class Partial>
typename Arithmetic::Value fold_in_line(const Arithmetic& arithmetic, const ReductionTree& tree,
                                        std::int64_t member_count, const Partial& partial) {
  const std::int64_t b = tree.end;
  const auto arrived = [&](std::int64_t m) { return arithmetic.through_wire(partial(m)); };
  if (tree.algorithm == Algorithm::direct) {
    // x_0, x_1, …: everybody's but that of the one who combines them was sent.
    auto value = b == 0 ? partial(0) : arrived(0);
    for (std::int64_t m = 1; m < member_count; ++m) {
      value = arithmetic.combine(value, m == b ? partial(m) : arrived(m));
    }
    return value;
  }
  if (tree.algorithm == Algorithm::pairwise) {
    // x_b, x_{b−1}, …: its own, then as they come.
    auto value = partial(b);
    for (std::int64_t t = 1; t < member_count; ++t) {
      value = arithmetic.combine(value, arrived((b - t + member_count) % member_count));
    }
    return value;
  }
  if (tree.algorithm == Algorithm::chain) {
    // From the far end to the root, each putting its own before what it received.
    auto value = partial((b + member_count - 1) % member_count);
    for (std::int64_t u = member_count - 2; u >= 0; --u) {
      value = arithmetic.combine(partial((b + u) % member_count), arithmetic.through_wire(value));
    }
    return value;
  }
  // ring, x_{b+1}, x_{b+2}, …, x_b: a running value is rounded as it is sent on, a member's own
  // partial never is.
  auto value = partial((b + 1) % member_count);
  for (std::int64_t t = 2; t <= member_count; ++t) {
    value = arithmetic.combine(arithmetic.through_wire(value), partial((b + t) % member_count));
  }
  return value;
}

/// halving, doubling and binomial: by distances.
template <class Arithmetic, class Partial>
typename Arithmetic::Value fold_by_distance(const Arithmetic& arithmetic, const ReductionTree& tree,
                                            std::int64_t member_count, const Partial& partial) {
  const auto arrived = [&](const auto& value) { return arithmetic.through_wire(value); };
  if (tree.algorithm == Algorithm::binomial) {
    // values[u]: u and its subtree so far; the child at distance d has all of its own by then.
    std::vector<typename Arithmetic::Value> values;
    values.reserve(static_cast<std::size_t>(member_count));
    for (std::int64_t u = 0; u < member_count; ++u) {
      values.push_back(partial((tree.end + u) % member_count));
    }
    for (std::size_t d = 1; d < values.size(); d *= 2) {
      for (std::size_t u = 0; u + d < values.size(); u += 2 * d) {
        values[u] = arithmetic.combine(values[u], arrived(values[u + d]));
      }
    }
    return values[0];
  }
  const FoldedRanks ranks(member_count);
  auto values = folded_partials(arithmetic, ranks, partial);
  if (tree.algorithm == Algorithm::doubling) {
    // Both partners keep the sum: each rounds its own operand too, or they would differ.
    for (std::size_t d = 1; d < values.size(); d *= 2) {
      for (std::size_t v = 0; v < values.size(); v += 2 * d) {
        values[v] = arithmetic.combine(arrived(values[v]), arrived(values[v + d]));
      }
    }
    return values[0];
  }
  // halving: after distance d, folded rank w has combined all that differ from it in bits of d and
  // above. `end` ^ t for t < d are those whose values still go into the end's.
  const auto end = static_cast<std::size_t>(tree.end);
  for (std::size_t d = values.size() / 2; d >= 1; d /= 2) {
    for (std::size_t t = 0; t < d; ++t) {
      values[end ^ t] = arithmetic.combine(values[end ^ t], arrived(values[end ^ t ^ d]));
    }
  }
  return values[end];
}

/// One element's value, in acc, not yet rounded to out. `partial(m)`: that of member m.
/// Requires: the algorithm is one of a collective that reduces.
template <class Arithmetic, class Partial>
typename Arithmetic::Value fold(const Arithmetic& arithmetic, const ReductionTree& tree,
                                std::int64_t member_count, const Partial& partial) {
  if (member_count == 1) return partial(0);
  switch (tree.algorithm) {
    case Algorithm::ring:
    case Algorithm::direct:
    case Algorithm::pairwise:
    case Algorithm::chain: return fold_in_line(arithmetic, tree, member_count, partial);
    case Algorithm::halving:
    case Algorithm::rabenseifner:
    case Algorithm::doubling:
    case Algorithm::binomial: return fold_by_distance(arithmetic, tree, member_count, partial);
    case Algorithm::bruck:
    case Algorithm::scatter_all_gather: break;
  }
  SHARDCHECK_REQUIRE(false, "the algorithm moves and doesn't reduce");
  return partial(0);
}

}  // namespace shardcheck::model
