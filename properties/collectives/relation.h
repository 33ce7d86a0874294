#pragma once

/// The metamorphic relations of collectives: other cases whose answers follow from a case's own,
/// without a model in between.
///
///     all_reduce = reduce_scatter, then all_gather

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace shardcheck {

enum class CollectiveRelation : std::uint8_t {
  reduce_then_gather,
  transposed_counts,
  reduced_again,
  zero_extended,
  slices
};

struct CollectiveRelationInfo {
  CollectiveRelation relation = CollectiveRelation::reduce_then_gather;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<CollectiveRelationInfo, 5> collective_relations{{
    {CollectiveRelation::reduce_then_gather, "reduce_then_gather",
     "an all-reduce is a reduce-scatter and an all-gather"},
    {CollectiveRelation::transposed_counts, "transposed_counts",
     "an all-to-all with the counts transposed takes back what one did"},
    {CollectiveRelation::reduced_again, "reduced_again",
     "what all members hold alike comes back from an all-reduce that doesn't count"},
    {CollectiveRelation::zero_extended, "zero_extended",
     "a gather is the sum of the blocks, each with zeros around it"},
    {CollectiveRelation::slices, "slices", "half a vector at a time gives what the whole one does"},
}};

constexpr std::string_view name(CollectiveRelation relation) {
  return collective_relations[static_cast<std::size_t>(relation)].name;
}

constexpr std::optional<CollectiveRelation> collective_relation_named(std::string_view name) {
  for (const CollectiveRelationInfo& entry : collective_relations) {
    if (entry.name == name) return entry.relation;
  }
  return std::nullopt;
}

}  // namespace shardcheck
