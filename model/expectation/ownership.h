#pragma once

/// Who owns what: index lists of every rank, from a layout alone (docs/plans.md, "Index lists").
///
///     shards(c, Tensor::a)[rank].columns   // the k that this rank holds of A, in its order

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/product_case.h>

namespace shardcheck::model {

using IndexList = std::vector<std::int64_t>;

/// A rank's part of a tensor: the elements rows × columns, row-major in this order.
struct Shard {
  IndexList rows;
  IndexList columns;

  bool operator==(const Shard&) const = default;
};

/// The p final parts of an axis of `extent` elements. `part_counts`: parts at each level of the
/// nest, outermost first; p is their product. Requires: `sizes` and `sets` name p parts.
std::vector<IndexList> parts(const Split& split, std::int64_t extent,
                             const std::vector<std::int64_t>& part_counts);

/// Coordinates of a rank on the mesh, one a mesh axis.
std::vector<std::int64_t> coordinates(const Mesh& mesh, std::int64_t rank);

/// The ranks that differ from `rank` on `mesh_axis` alone, ascending on it; `rank` is among them.
std::vector<std::int64_t> group(const Mesh& mesh, std::int64_t rank, int mesh_axis);

/// By rank, as the case lays the tensor out. For C: the consumer's layout.
std::vector<Shard> shards(const ProductCase& subject, Tensor tensor);

}  // namespace shardcheck::model
