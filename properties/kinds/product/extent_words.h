#pragma once

/// Where in C something is wrong, in as few words as it takes.
///
///     "everywhere", "in rows 3..5", "in columns 0, 2", "in rows 1..2, columns 0..3"

#include <cstdint>
#include <string>
#include <vector>

namespace shardcheck {

/// Coordinates i·J + j in any order, repeated ones count once. What is no full rectangle of rows
/// and columns is told by its number and its first element. Requires: not empty.
std::string extent_words(std::int64_t rows, std::int64_t columns,
                         std::vector<std::int64_t> coordinates);

}  // namespace shardcheck
