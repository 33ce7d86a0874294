#pragma once

/// Index lists, shards and matrices as people write them: "0-3", "rows 0-1, columns 0",
/// "[5 6; 15 18]". What is long is abbreviated unless it is asked for in full.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/layout.h>
#include <shardcheck/model/case/mesh.h>
#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck::tools {

/// How much is shown.
struct Detail {
  std::int64_t ranks = 8;      ///< ranks listed
  std::int64_t messages = 32;  ///< messages listed a step
  std::int64_t cells = 8;      ///< rows and columns of a matrix, or elements of a list
  std::int64_t ranges = 6;     ///< ranges of an index list
};

Detail detail_of(bool full);

/// "0-3,7" in the order held; "none" if empty.
std::string index_text(const model::IndexList& list, const Detail& detail);

/// "i 0-1, k 0": a rank's part of a tensor.
std::string shard_text(Tensor tensor, const model::Shard& shard, const Detail& detail);

/// "[5 6; 15 18]"; "[]" for a matrix with no element. `at(row, column)` counts positions.
std::string matrix_text(std::int64_t rows, std::int64_t columns, Dtype dtype,
                        const std::function<Bits(std::int64_t, std::int64_t)>& at,
                        const Detail& detail);

/// "[15 18]".
std::string list_text(const std::vector<Bits>& elements, Dtype dtype, const Detail& detail);

/// "over x, y"
std::string axes_text(const Mesh& mesh, const std::vector<int>& axes);

/// "  … and 8 ranks more", or nothing.
std::string more_text(std::int64_t count, std::int64_t shown, const std::string& what);

/// What `lines` says of each of the first ranks, and how many more there are.
std::string by_rank(std::int64_t ranks, const Detail& detail,
                    const std::function<std::string(std::int64_t rank)>& lines);

}  // namespace shardcheck::tools
