#include <algorithm>
#include <array>
#include <numeric>

#include "reductions.h"
#include "regroup.h"

namespace shardcheck {
namespace {

/// One cut of the case: the tensor axis that it divides, and where it stands in any copy of it.
struct Place {
  Layout ProductCase::*layout;
  Cut Layout::*cut;
  Axis axis;
};

constexpr std::array<Place, 6> places{{{&ProductCase::a, &Layout::rows, Axis::i},
                                       {&ProductCase::a, &Layout::columns, Axis::k},
                                       {&ProductCase::b, &Layout::rows, Axis::k},
                                       {&ProductCase::b, &Layout::columns, Axis::j},
                                       {&ProductCase::c, &Layout::rows, Axis::i},
                                       {&ProductCase::c, &Layout::columns, Axis::j}}};

const Cut& cut_at(const ProductCase& subject, const Place& place) {
  return subject.*(place.layout).*(place.cut);
}

Cut& cut_at(ProductCase& subject, const Place& place) {
  return subject.*(place.layout).*(place.cut);
}

/// The mesh axis no longer divides the tensor axis: in every tensor, then in each alone.
void divide_less(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  for (int mesh_axis = 0; mesh_axis < static_cast<int>(subject.mesh.axes.size()); ++mesh_axis) {
    for (const Axis axis : {Axis::k, Axis::i, Axis::j}) {
      ProductCase both = subject;
      for (const Place& place : places) {
        if (place.axis != axis) continue;
        cut_at(both, place) = without_axis(cut_at(subject, place), subject.mesh, mesh_axis);
        candidates.push_back(subject);
        cut_at(candidates.back(), place) = cut_at(both, place);
      }
      candidates.push_back(std::move(both));
    }
    candidates.push_back(subject);
    std::erase(candidates.back().c.partial_over, mesh_axis);
  }
}

void add_split(const ProductCase& subject, const Place& place, Split split,
               std::vector<ProductCase>& candidates) {
  candidates.push_back(subject);
  cut_at(candidates.back(), place).split = std::move(split);
}

/// The same change wherever the same cut of the same axis stands, so that what was aligned stays
/// so.
void add_split_everywhere(const ProductCase& subject, const Place& place, const Split& split,
                          std::vector<ProductCase>& candidates) {
  candidates.push_back(subject);
  for (const Place& other : places) {
    const bool is_alike =
        other.axis == place.axis && cut_at(subject, other) == cut_at(subject, place);
    if (is_alike) cut_at(candidates.back(), other).split = split;
  }
}

/// One element from the longest part to the shortest.
Split evened(const Split& split) {
  Split result = split;
  if (!result.sizes.empty()) {
    --*std::max_element(result.sizes.begin(), result.sizes.end());
    ++*std::min_element(result.sizes.begin(), result.sizes.end());
  }
  if (!result.sets.empty()) {
    const auto is_shorter = [](const auto& left, const auto& right) {
      return left.size() < right.size();
    };
    auto& longest = *std::max_element(result.sets.begin(), result.sets.end(), is_shorter);
    auto& shortest = *std::min_element(result.sets.begin(), result.sets.end(), is_shorter);
    if (&longest == &shortest || longest.empty()) return result;
    shortest.push_back(longest.back());
    longest.pop_back();
  }
  return result;
}

/// Each set ascending.
Split ascending(const Split& split) {
  Split result = split;
  for (auto& set : result.sets) std::sort(set.begin(), set.end());
  return result;
}

/// The same part lengths with the indices in order.
Split contiguous(const Split& split) {
  Split result;
  result.rule = Split::Rule::sizes;
  for (const auto& set : split.sets) {
    result.sizes.push_back(static_cast<std::int64_t>(set.size()));
  }
  return result;
}

std::vector<Split> plainer(const Split& split) {
  std::vector<Split> plainer{Split{}};
  switch (split.rule) {
    case Split::Rule::balanced: plainer.clear(); break;
    case Split::Rule::ceil: break;
    case Split::Rule::cyclic:
      plainer.push_back(Split{Split::Rule::ceil, 1, {}, {}});
      for (const std::int64_t block : {std::int64_t{1}, split.block / 2, split.block - 1}) {
        if (block >= 1) plainer.push_back(Split{Split::Rule::cyclic, block, {}, {}});
      }
      break;
    case Split::Rule::sizes:
      plainer.push_back(Split{Split::Rule::ceil, 1, {}, {}});
      plainer.push_back(evened(split));
      break;
    case Split::Rule::sets:
      plainer.push_back(Split{Split::Rule::cyclic, 1, {}, {}});
      plainer.push_back(contiguous(split));
      plainer.push_back(ascending(split));
      plainer.push_back(evened(split));
      break;
  }
  return plainer;
}

void cut_plainer(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  for (const Place& place : places) {
    if (cut_at(subject, place).over.empty()) continue;
    for (const Split& split : plainer(cut_at(subject, place).split)) {
      add_split_everywhere(subject, place, split, candidates);
      add_split(subject, place, split, candidates);
    }
  }
}

/// Mesh axes in ascending order inside each cut.
void order_axes(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  candidates.push_back(subject);
  for (const Place& place : places) {
    std::vector<int>& over = cut_at(candidates.back(), place).over;
    std::sort(over.begin(), over.end());
  }
}

}  // namespace

void reduce_layouts(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  divide_less(subject, candidates);
  cut_plainer(subject, candidates);
  order_axes(subject, candidates);
}

}  // namespace shardcheck
