#pragma once

/// In which order does a backend add? Found from the outside, with masks for data (reveal.h), and
/// held against the documented order.
///
///     auto report = reveal_order(*parse("matmul mesh=x4 i=4 j=1 k=8 A[i,k/x] B[k/x,j] ->
///     C[i/x,j]"),
///                                backend);

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/case.h>

#include "summation_tree.h"

namespace shardcheck {

/// A rank's share of the terms: what it adds up by itself.
struct OwnTerms {
  std::int64_t rank = 0;
  std::vector<std::int64_t> terms;  ///< ascending

  bool operator==(const OwnTerms&) const = default;
};

/// Places of results that add alike, and are documented alike.
struct OrderFound {
  std::int64_t rank = 0;        ///< of the first of them
  std::int64_t coordinate = 0;  ///< likewise
  std::int64_t places = 1;      ///< how many (rank, coordinate) there are
  SummationTree documented;
  tl::expected<SummationTree, std::string> found;  ///< or why there is no tree

  std::vector<OwnTerms> own;  ///< a product's, ascending by rank: who multiplies for that place

  bool is_as_documented() const { return found && *found == documented; }
};

struct OrderReport {
  std::vector<std::int64_t> terms;  ///< the leaves of all trees, ascending
  bool are_all_terms = true;        ///< false: others were 0, and no tree speaks of them
  std::vector<OrderFound> found;    ///< in the order of their first places
  std::int64_t runs = 0;            ///< of the backend
};

/// The tree over ranks, if each adds up its own terms by itself; else nothing.
std::optional<SummationTree> across_ranks(const SummationTree& tree,
                                          const std::vector<OwnTerms>& own);

/// The part of the tree that adds up these terms and no others, if there is one.
std::optional<SummationTree> part_over(const SummationTree& tree,
                                       const std::vector<std::int64_t>& terms);

/// Terms beyond this number are left out, the same share on each rank: runs are half its square.
inline constexpr std::int64_t order_terms_max = 48;

/// Terms are k's of a product, members of calls, where each group adds at the same time. The case's
/// values and promises don't matter; sizes, mesh, layouts, dtypes, plan, algorithms, kernel,
/// schedule do. Of calls the first, alone, reduces, by op=sum. The error says why the case shows no
/// order (that, integers, too little range, nothing to add), can't be meant, or how the run ended.
tl::expected<OrderReport, std::string> reveal_order(const Case& subject, Backend& backend);

}  // namespace shardcheck
