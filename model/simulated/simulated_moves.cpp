#include "simulated_group.h"

#include <algorithm>
#include <utility>

// The collectives that move and don't compute.

namespace shardcheck::model {
namespace {

bool has_bit(std::int64_t number, std::int64_t bit) { return (number & bit) != 0; }

}  // namespace

void SimulatedGroup::gather_by_doubling(const std::vector<IndexList>& folded_blocks) {
  for (std::int64_t d = 1; d < power_; d *= 2) {
    std::vector<Elements> after = held_;
    for (std::int64_t v = 0; v < power_; ++v) {
      IndexList positions;
      for (std::int64_t u = v / d * d; u < v / d * d + d; ++u) {
        const IndexList& block = folded_blocks[static_cast<std::size_t>(u)];
        positions.insert(positions.end(), block.begin(), block.end());
      }
      move(folded_member(v), folded_member(v ^ d), after, positions);
    }
    held_ = after;
  }
}

void SimulatedGroup::all_gather(Algorithm algorithm, const std::vector<IndexList>& blocks) {
  const auto block = [&](Member b) { return blocks[static_cast<std::size_t>(next(b, 0))]; };
  const auto in_steps = [&](std::int64_t step_count, const auto& step) {
    for (std::int64_t s = 0; s < step_count; ++s) {
      std::vector<Elements> after = held_;
      for (Member r = 0; r < count_; ++r) step(s, r, after);
      held_ = after;
    }
  };
  if (algorithm == Algorithm::ring) {
    in_steps(count_ - 1, [&](std::int64_t s, Member r, std::vector<Elements>& after) {
      move(r, next(r, 1), after, block(r - s));
    });
  } else if (algorithm == Algorithm::direct) {
    in_steps(1, [&](std::int64_t, Member r, std::vector<Elements>& after) {
      for (Member m = 0; m < count_; ++m) move(r, m, after, block(r));
    });
  } else if (algorithm == Algorithm::bruck) {
    std::int64_t step_count = 0;
    while ((std::int64_t{1} << step_count) < count_) ++step_count;
    in_steps(step_count, [&](std::int64_t s, Member r, std::vector<Elements>& after) {
      const std::int64_t d = std::int64_t{1} << s;
      for (std::int64_t t = 0; t < std::min(d, count_ - d); ++t) {
        move(r, next(r, -d), after, block(r + t));
      }
    });
  } else {
    for (Member r = 0; r < 2 * (count_ - power_); r += 2) move(r, r + 1, held_, block(r));
    gather_by_doubling(folded(blocks));
    for (std::int64_t v = 0; v < count_ - power_; ++v) {
      for (Member m = 0; m < count_; ++m) {
        if (m != 2 * v) move(2 * v + 1, 2 * v, held_, block(m));
      }
    }
  }
}

/// Nearest first.
std::vector<std::int64_t> SimulatedGroup::children(Algorithm algorithm, std::int64_t u) const {
  std::vector<std::int64_t> result;
  for (std::int64_t child = u + 1; child < count_; ++child) {
    const std::int64_t parent = algorithm == Algorithm::chain      ? child - 1
                                : algorithm == Algorithm::binomial ? (child & (child - 1))
                                                                   : 0;
    if (parent == u) result.push_back(child);
  }
  return result;
}

void SimulatedGroup::broadcast_below(Algorithm algorithm, Member root, std::int64_t u) {
  for (const std::int64_t child : children(algorithm, u)) {
    move(next(root, u), next(root, child), held_, all_);
    broadcast_below(algorithm, root, child);
  }
}

void SimulatedGroup::broadcast(Algorithm algorithm, Member root) {
  if (algorithm != Algorithm::scatter_all_gather) return broadcast_below(algorithm, root, 0);
  std::vector<IndexList> blocks(static_cast<std::size_t>(count_));
  const std::vector<IndexList> cut = counted_out(Split{}, case_.n, count_);
  for (std::int64_t u = 0; u < count_; ++u) {
    blocks[static_cast<std::size_t>(next(root, u))] = cut[static_cast<std::size_t>(u)];
  }
  scatter_below(Algorithm::binomial, root, 0, blocks);
  all_gather(Algorithm::ring, blocks);
}

IndexList SimulatedGroup::subtree(Algorithm algorithm, Member root, std::int64_t u,
                                  const std::vector<IndexList>& blocks) const {
  IndexList positions = blocks[static_cast<std::size_t>(next(root, u))];
  for (const std::int64_t child : children(algorithm, u)) {
    const IndexList below = subtree(algorithm, root, child, blocks);
    positions.insert(positions.end(), below.begin(), below.end());
  }
  return positions;
}

void SimulatedGroup::scatter_below(Algorithm algorithm, Member root, std::int64_t u,
                                   const std::vector<IndexList>& blocks) {
  for (const std::int64_t child : children(algorithm, u)) {
    move(next(root, u), next(root, child), held_, subtree(algorithm, root, child, blocks));
    scatter_below(algorithm, root, child, blocks);
  }
}

void SimulatedGroup::gather_below(Algorithm algorithm, Member root, std::int64_t u,
                                  const std::vector<IndexList>& blocks) {
  for (const std::int64_t child : children(algorithm, u)) {
    gather_below(algorithm, root, child, blocks);
    move(next(root, child), next(root, u), held_, subtree(algorithm, root, child, blocks));
  }
}

void SimulatedGroup::all_to_all(Algorithm algorithm) {
  // What is on its way from a source to a destination, wherever it is now.
  struct Parcel {
    Member destination = 0;
    std::int64_t distance = 0;
    Elements elements;
  };
  std::vector<std::vector<Parcel>> at(static_cast<std::size_t>(count_));
  std::int64_t begin = 0;
  for (Member r = 0; r < count_; ++r) {
    std::int64_t place = 0;
    for (Member m = 0; m < count_; ++m) {
      Parcel parcel{m, next(m, -r), {}};
      if (case_.counts.empty()) {
        for (const std::int64_t p : blocks_[static_cast<std::size_t>(m)]) {
          parcel.elements[r * case_.n + p] = held(r).at(p);
        }
      } else {
        const auto& row = case_.counts[static_cast<std::size_t>(r)];
        for (std::int64_t t = 0; t < row[static_cast<std::size_t>(m)]; ++t, ++place) {
          parcel.elements[begin + place] = held(r).at(place);
        }
      }
      at[static_cast<std::size_t>(r)].push_back(std::move(parcel));
    }
    begin += place;
  }
  const auto hand_over = [&](const auto& is_to_go, const auto& to) {
    std::vector<std::vector<Parcel>> after(at.size());
    for (Member r = 0; r < count_; ++r) {
      for (Parcel& parcel : at[static_cast<std::size_t>(r)]) {
        const Member target = is_to_go(parcel) ? to(r, parcel) : r;
        IndexList positions;
        for (const auto& entry : parcel.elements) positions.push_back(entry.first);
        send(r, target, parcel.elements, positions, case_.dtypes.out);
        after[static_cast<std::size_t>(target)].push_back(std::move(parcel));
      }
    }
    at = std::move(after);
  };
  if (algorithm == Algorithm::bruck) {
    for (std::int64_t d = 1; d < count_; d *= 2) {
      hand_over([&](const Parcel& parcel) { return has_bit(parcel.distance, d); },
                [&](Member r, const Parcel&) { return next(r, d); });
    }
  } else {
    for (std::int64_t t = 1; t < count_; ++t) {
      hand_over([&](const Parcel& parcel) { return parcel.distance == t; },
                [&](Member, const Parcel& parcel) { return parcel.destination; });
    }
  }
  for (Member r = 0; r < count_; ++r) {
    Elements& result = held_[static_cast<std::size_t>(r)];
    result.clear();
    for (const Parcel& parcel : at[static_cast<std::size_t>(r)]) {
      result.insert(parcel.elements.begin(), parcel.elements.end());
    }
  }
}

void SimulatedGroup::permute() {
  std::vector<Elements> after(held_.size());
  for (Member r = 0; r < count_; ++r) {
    const Member destination = case_.destinations[static_cast<std::size_t>(r)];
    if (destination < 0) continue;
    for (const auto& [p, value] : send(r, destination, held(r), all_, case_.dtypes.out)) {
      after[static_cast<std::size_t>(destination)][r * case_.n + p] = value;
    }
  }
  held_ = after;
}

}  // namespace shardcheck::model
