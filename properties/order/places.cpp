#include "places.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace shardcheck {
namespace {

constexpr std::int64_t places_max = 4096;

/// The tree over the given terms alone; the others are 0 and change nothing.
std::optional<SummationTree> restricted(const SummationTree& tree,
                                        const std::vector<std::int64_t>& terms) {
  return substituted(tree, [&](std::int64_t leaf) -> std::optional<SummationTree> {
    if (!std::ranges::binary_search(terms, leaf)) return std::nullopt;
    return term(leaf);
  });
}

/// The tree over `own`, some of the terms. A result that leaves the others out, as a partial does,
/// lacks their units.
tl::expected<SummationTree, std::string> found_tree(const std::vector<std::int64_t>& sizes,
                                                    const std::vector<std::int64_t>& terms,
                                                    const std::vector<std::int64_t>& own) {
  const auto place_of = [&](std::int64_t leaf) {
    return static_cast<std::size_t>(std::ranges::lower_bound(terms, leaf) - terms.begin());
  };
  const auto absent = std::ssize(terms) - std::ssize(own);
  std::vector<std::int64_t> own_sizes;
  for (const std::int64_t one : own) {
    for (const std::int64_t other : own) {
      const std::int64_t size = sizes[place_of(one) * terms.size() + place_of(other)];
      own_sizes.push_back(one == other || size < 0 ? size
                                                   : std::max<std::int64_t>(size - absent, 0));
    }
  }
  auto tree = tree_of(own_sizes, std::ssize(own));
  if (!tree) return tree;
  return *substituted(*tree, [&](std::int64_t leaf) -> std::optional<SummationTree> {
    return term(own[static_cast<std::size_t>(leaf)]);
  });
}

}  // namespace

std::vector<OrderPlace> places_of(const RunRecord& run) {
  std::vector<OrderPlace> all;
  const auto& owned = run.observation.owned;
  for (std::size_t rank = 0; rank < owned.size(); ++rank) {
    for (std::size_t position = 0; position < owned[rank].size(); ++position) {
      all.push_back({static_cast<std::int64_t>(rank), static_cast<std::int64_t>(position),
                     owned[rank][position]});
    }
  }
  const auto count = std::ssize(all);
  const auto taken = std::min<std::int64_t>(count, places_max);
  std::vector<OrderPlace> places;
  for (std::int64_t n = 0; n < taken; ++n) {
    places.push_back(all[static_cast<std::size_t>(n * count / taken)]);
  }
  return places;
}

std::vector<std::int64_t> units_at(const std::vector<OrderPlace>& places, const RunRecord& run,
                                   const DtypeCombination& d, const Masks& masks) {
  std::vector<std::int64_t> counts;
  for (const OrderPlace& place : places) {
    const auto rank = static_cast<std::size_t>(place.rank);
    const bool is_there = rank < run.bits.size() && place.position < std::ssize(run.bits[rank]);
    counts.push_back(
        is_there ? units_in(d, masks, run.bits[rank][static_cast<std::size_t>(place.position)])
                 : -1);
  }
  return counts;
}

void hold_against(const std::vector<OrderPlace>& places,
                  const std::vector<std::vector<std::int64_t>>& sizes,
                  const std::function<std::optional<SummationTree>(const OrderPlace&)>& documented,
                  OrderReport& report) {
  std::map<std::pair<std::string, std::vector<std::int64_t>>, std::size_t> known;
  for (std::size_t index = 0; index < sizes.size(); ++index) {
    const OrderPlace& place = places[index];
    const auto whole = documented(place);
    auto tree = whole ? restricted(*whole, report.terms) : std::nullopt;
    if (!tree) continue;
    const std::string text = print(*tree, [](std::int64_t leaf) { return std::to_string(leaf); });
    const auto [entry, is_new] = known.try_emplace({text, sizes[index]}, report.found.size());
    if (!is_new) {
      ++report.found[entry->second].places;
      continue;
    }
    auto found = found_tree(sizes[index], report.terms, leaves(*tree));
    report.found.push_back(
        {place.rank, place.coordinate, 1, std::move(*tree), std::move(found), {}});
  }
}

}  // namespace shardcheck
