#include "cells.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck {
namespace {

constexpr std::int64_t members_max = 17;
constexpr std::array<std::string_view, 3> shape_names{"even", "uneven", "with empties"};

std::vector<std::int64_t> block_sizes(const CallsCase& subject) {
  std::vector<std::int64_t> sizes;
  for (const auto& row : subject.counts) sizes.insert(sizes.end(), row.begin(), row.end());
  if (!sizes.empty()) return sizes;
  const bool is_divided = divides(subject.calls.back().collective);
  const Split split = is_divided ? subject.split : Split{};
  for (const auto& part : model::parts(split, subject.n, {member_count(subject)})) {
    sizes.push_back(static_cast<std::int64_t>(part.size()));
  }
  return sizes;
}

std::vector<Cell> make_cells() {
  std::vector<Cell> made;
  for (std::size_t c = 0; c < collective_names.size(); ++c) {
    const auto collective = static_cast<Collective>(c);
    for (const Algorithm algorithm : algorithms_of(collective)) {
      for (std::int64_t members = 1; members <= members_max; ++members) {
        for (const BlockShape shape : {BlockShape::even, BlockShape::uneven, BlockShape::empties}) {
          const bool needs_equal_blocks =
              collective == Collective::all_to_all && algorithm == Algorithm::bruck;
          if (shape == BlockShape::uneven && (members == 1 || needs_equal_blocks)) continue;
          for (const bool is_on_threads : {false, true}) {
            made.push_back({{collective, algorithm}, members, shape, is_on_threads});
          }
        }
      }
    }
  }
  return made;
}

}  // namespace

std::string_view name(BlockShape shape) { return shape_names[static_cast<std::size_t>(shape)]; }

BlockShape block_shape(const CallsCase& subject) {
  const std::vector<std::int64_t> sizes = block_sizes(subject);
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  if (*least == 0) return BlockShape::empties;
  return *least == *most ? BlockShape::even : BlockShape::uneven;
}

const std::vector<Cell>& cells() {
  static const std::vector<Cell> made = make_cells();
  return made;
}

std::vector<Cell> cells_of(const CallsCase& subject) {
  std::vector<Cell> found;
  const std::int64_t members = member_count(subject);
  if (members > members_max) return found;
  const BlockShape shape = block_shape(subject);
  for (const Call& call : subject.calls) {
    found.push_back({call, members, shape, subject.run.kind == Run::Kind::threads});
  }
  return found;
}

std::string print(const Cell& cell) {
  return fmt::format("{} {} P={} {} {}", name(cell.call.collective), name(cell.call.algorithm),
                     cell.members, name(cell.shape), cell.is_on_threads ? "threads" : "fibers");
}

}  // namespace shardcheck
