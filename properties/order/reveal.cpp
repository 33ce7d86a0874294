#include "reveal.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace shardcheck {
namespace {

/// For one pair, by place, how many of the other terms come out.
tl::expected<std::vector<std::int64_t>, std::string> units_left(std::size_t huge,
                                                                std::size_t negative,
                                                                std::size_t term_count,
                                                                std::int64_t units_max,
                                                                const MaskedSum& sum) {
  std::vector<std::int64_t> left;
  std::size_t next = 0;
  do {
    std::vector<MaskedTerm> terms(term_count, MaskedTerm::zero);
    terms[huge] = MaskedTerm::huge;
    terms[negative] = MaskedTerm::negative_huge;
    for (std::int64_t units = 0; units < units_max && next < term_count; ++next) {
      if (terms[next] != MaskedTerm::zero) continue;
      terms[next] = MaskedTerm::unit;
      ++units;
    }
    const auto counts = sum(terms);
    if (!counts) return counts;
    left.resize(counts->size(), 0);
    for (std::size_t place = 0; place < left.size(); ++place) {
      const std::int64_t count = (*counts)[place];
      left[place] = count < 0 || left[place] < 0 ? -1 : left[place] + count;
    }
  } while (next < term_count);
  return left;
}

/// `members` are the leaves below one node: they fall into its parts, which meet there alone.
std::optional<SummationTree> built(const std::vector<std::int64_t>& sizes, std::size_t term_count,
                                   std::vector<std::size_t> members) {
  if (members.size() == 1) return term(static_cast<std::int64_t>(members.front()));
  const auto all = std::ssize(members);
  std::vector<SummationTree> parts;
  while (!members.empty()) {
    const std::size_t first = members.front();
    const auto rest = std::partition(members.begin(), members.end(), [&](std::size_t other) {
      return other == first || sizes[first * term_count + other] < all;
    });
    std::vector<std::size_t> own(members.begin(), rest);
    if (std::ssize(own) == all) return std::nullopt;
    members.erase(members.begin(), rest);
    auto part = built(sizes, term_count, std::move(own));
    if (!part) return std::nullopt;
    parts.push_back(std::move(*part));
  }
  return sum(std::move(parts));
}

}  // namespace

tl::expected<std::vector<std::vector<std::int64_t>>, std::string> seen_meeting_sizes(
    std::int64_t term_count, std::int64_t units_max, const MaskedSum& sum) {
  const auto count = static_cast<std::size_t>(term_count);
  std::vector<std::vector<std::int64_t>> by_place;
  if (count == 1) {
    // No pair to ask about, but the places are to be known.
    const auto counts = sum(std::vector<MaskedTerm>{MaskedTerm::unit});
    if (!counts) return tl::unexpected<std::string>(counts.error());
    for (const std::int64_t units : *counts) by_place.push_back({units == 1 ? 1 : -1});
  }
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      const auto left = units_left(a, b, count, units_max, sum);
      if (!left) return tl::unexpected<std::string>(left.error());
      by_place.resize(left->size(), std::vector<std::int64_t>(count * count, 1));
      for (std::size_t place = 0; place < left->size(); ++place) {
        const std::int64_t units = (*left)[place];
        const std::int64_t size = units < 0 ? -1 : term_count - units;
        by_place[place][a * count + b] = size;
        by_place[place][b * count + a] = size;
      }
    }
  }
  return by_place;
}

tl::expected<SummationTree, std::string> tree_of(const std::vector<std::int64_t>& sizes,
                                                 std::int64_t term_count) {
  const auto count = static_cast<std::size_t>(term_count);
  const auto unreadable = std::ranges::find(sizes, -1);
  if (unreadable != sizes.end()) {
    if (count == 1) return tl::unexpected<std::string>("the one term didn't come out");
    const auto entry = static_cast<std::size_t>(unreadable - sizes.begin());
    return tl::unexpected<std::string>(fmt::format(
        "with terms {} and {} huge, no number of units came out", entry / count, entry % count));
  }
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<std::int64_t> names(count);
  std::iota(names.begin(), names.end(), std::int64_t{0});
  auto tree = built(sizes, count, std::move(all));
  // The pairs looked at while building may fit by chance: all must.
  if (!tree || meeting_sizes(*tree, names) != sizes) {
    return tl::unexpected<std::string>(
        "no tree: what the pairs tell doesn't fit together, as if the order changed from run to "
        "run");
  }
  return *std::move(tree);
}

}  // namespace shardcheck
