#pragma once

/// The reach table of collectives alone: every algorithm by number of members, shape of the blocks
/// and runtime. A run counts the cells that it has been in, and is steered towards each.
///
///     all_reduce doubling P=5 uneven threads

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/calls_case.h>

namespace shardcheck {

enum class BlockShape : std::uint8_t {
  even,     ///< all blocks alike, none empty
  uneven,   ///< blocks of different sizes, none empty
  empties,  ///< an empty block among them, or nothing but such
};

std::string_view name(BlockShape shape);

/// Of the blocks that the last call's split or counts make; where it makes none, of as many as
/// there are members, cut `balanced`.
BlockShape block_shape(const CallsCase& subject);

struct Cell {
  Call call;
  std::int64_t members = 1;
  BlockShape shape = BlockShape::even;
  bool is_on_threads = false;

  bool operator==(const Cell&) const = default;
};

/// Up to 17 members: every one that can be reached, in a fixed order. (One member has no uneven
/// blocks, and neither has Bruck's all_to_all.)
const std::vector<Cell>& cells();

/// Those that the case is in, one a call.
std::vector<Cell> cells_of(const CallsCase& subject);

std::string print(const Cell& cell);

}  // namespace shardcheck
