#pragma once

/// Index lists, shards and matrices as people write them: "0-3", "rows 0-1, columns 0",
/// "[5 6; 15 18]". What is long is abbreviated unless it is asked for in full.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/ownership.h>
#include <shardcheck/model/plan_rules.h>

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

/// One line a rank: "  rank 0  A i 0-1, k 0; B k 0, j 0-1", C's part instead once there is one.
std::string state_text(const ProductCase& subject, const model::PlanState& state, const Detail& detail);

/// "  … and 8 ranks more", or nothing.
std::string more_text(std::int64_t count, std::int64_t shown, const std::string& what);

}  // namespace shardcheck::tools
