#pragma once

/// One rank in the midst of a plan: what it holds by now, and what every step needs of it.

#include <cstddef>
#include <cstdint>
#include <optional>

#include <shardcheck/impl/numbers/convert.h>
#include <shardcheck/impl/plan/planner.h>
#include <shardcheck/impl/runtime/endpoint.h>
#include <shardcheck/impl/runtime/workspace.h>
#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/observation.h>
#include "local_product.h"
#include "rank_tensor.h"

namespace shardcheck::impl {

/// What all ranks share, unchanged while they run.
struct Matmul {
  const Situation& situation;
  const ResolvedPlan& plan;
  bool trace = false;  ///< note the partials
};

/// A step when its turn comes.
struct Turn {
  std::int64_t phase = 0;
  const Step& step;
  const PlanState& from;
  const PlanState& to;
};

/// Sums of C where they are added up: row-major in storage, `row_step` elements from one row to
/// the next.
struct SumsWindow {
  std::byte* elements = nullptr;
  std::int64_t row_step = 0;
};

/// What a product multiplies of two shards: rows of A, k's of both in the order in which they are
/// added, columns of B.
struct ProductLists {
  Indices rows;
  Indices ks;
  Indices columns;
};

struct RankRun {
  RankRun(const Matmul& shared, Endpoint& own_endpoint, const RankMemory& own_memory,
          Workspace& own_workspace, LocalProduct& noted);

  const Matmul& matmul;
  const ListsPool& pool;
  const ProductCase& subject;
  Endpoint& endpoint;
  const RankMemory& memory;
  Workspace& workspace;
  LocalProduct& product;
  std::int64_t rank;
  Storage storage;
  Shard a;
  Shard b;
  Shard c;
  bool is_c_finished = false;

  Shard& shard_of(Tensor tensor) { return tensor == Tensor::a ? a : tensor == Tensor::b ? b : c; }
  /// The lists that this rank holds, with `elements`.
  Shard held(const TensorState& tensor, const std::byte* elements) const {
    return {pool.held(tensor.rows, rank), pool.held(tensor.columns, rank), elements};
  }

  /// Elements of A and B are in dtype in, of C in storage until it is finished, then in out.
  std::int64_t element_bytes(Tensor tensor) const;
  Dtype travelling_dtype(Tensor tensor) const;
  bool travels_rounded(Tensor tensor) const { return tensor == Tensor::c && !is_c_finished; }

  /// The sums of C, unfinished and over its lists: they lie in this rank's own memory, and nobody
  /// reads them any more once a step has begun to overwrite them.
  std::byte* sums_of_c() const { return const_cast<std::byte*>(c.elements); }

  /// What the sums of a step are rounded to when they travel unfinished, and finished.
  Reduction reduction_to(const PlanState& to) const;

  std::byte* narrowed(Dtype to, const std::byte* sums, std::int64_t count);
  std::byte* widened(Dtype from, const std::byte* elements, std::int64_t count);
  /// B with its rows in the order of these k's; itself where they are so already.
  Shard rows_in_order(const Shard& operand, Indices ks);

  /// Room for `count` sums, not initialised.
  std::byte* room_for_sums(std::int64_t count);
  /// Computes the sums, one for each of rows × columns, or adds to them.
  void multiply(const Shard& a_shard, const Shard& b_shard, const ProductLists& lists,
                const SumsWindow& window, Sums sums);

  /// Notes that these k's were multiplied next.
  void note_ks(Indices ks);
  /// Notes, if asked to, the sums at rows × columns of C as the rank's partial. Dense.
  void note_partial(Indices rows, Indices columns, const std::byte* sums);
};

}  // namespace shardcheck::impl
