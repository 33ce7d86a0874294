#include <algorithm>

#include "draw.h"
#include "draw_setting.h"

namespace shardcheck {
namespace {

std::vector<std::int64_t> draw_sizes(Entropy& entropy, std::int64_t extent,
                                     std::int64_t part_count) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(part_count));
  if (chance(entropy, 15)) {  // one owner of everything
    sizes[entropy.below(sizes.size())] = extent;
    return sizes;
  }
  std::vector<std::int64_t> bounds{0, extent};
  for (std::int64_t part = 1; part < part_count; ++part) {
    bounds.push_back(between(entropy, 0, extent));
  }
  std::sort(bounds.begin(), bounds.end());
  for (std::size_t part = 0; part < sizes.size(); ++part) {
    sizes[part] = bounds[part + 1] - bounds[part];
  }
  return sizes;
}

std::vector<std::vector<std::int64_t>> draw_sets(Entropy& entropy, std::int64_t extent,
                                                 std::int64_t part_count) {
  std::vector<std::vector<std::int64_t>> sets(static_cast<std::size_t>(part_count));
  std::vector<std::int64_t> order(static_cast<std::size_t>(extent));
  for (std::size_t place = 0; place < order.size(); ++place) {
    order[place] = static_cast<std::int64_t>(place);
  }
  // Ascending sets and shuffled ones show different mistakes: who owns, and in which order.
  if (chance(entropy, 60)) shuffle(entropy, order);
  for (const std::int64_t index : order) {
    sets[entropy.below(sets.size())].push_back(index);
  }
  return sets;
}

}  // namespace

std::int64_t draw_extent(Entropy& entropy) {
  switch (weighted(entropy, {41, 28, 15, 9, 7})) {
    case 0: return between(entropy, 2, 4);
    case 1: return between(entropy, 5, 8);
    case 2: return between(entropy, 9, 16);
    case 3: return chance(entropy, 35) ? 0 : 1;
    default: return between(entropy, 17, 40);
  }
}

Split draw_split(Entropy& entropy, Split::Rule rule, std::int64_t extent, std::int64_t part_count) {
  Split split;
  split.rule = rule;
  switch (rule) {
    case Split::Rule::balanced:
    case Split::Rule::ceil: break;
    case Split::Rule::sizes: split.sizes = draw_sizes(entropy, extent, part_count); break;
    case Split::Rule::cyclic:
      split.block = chance(entropy, 10) ? between(entropy, 4, 41) : between(entropy, 1, 3);
      break;
    case Split::Rule::sets: split.sets = draw_sets(entropy, extent, part_count); break;
  }
  return split;
}

Split::Rule draw_rule(Entropy& entropy, std::span<const std::uint64_t> weights) {
  return split_rules[weighted(entropy, weights)].rule;
}

}  // namespace shardcheck
