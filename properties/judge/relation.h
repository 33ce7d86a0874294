#pragma once

/// The metamorphic relations: other cases whose answers follow from a case's own.
///
/// The judge's own model stands behind every other invariant; a relation needs none of it to say
/// that two answers don't fit together. A product in other units, the same product over fewer
/// ranks, or read in a mirror: whoever gets one right and the other wrong has a mistake that no
/// single case need show.
///
///     transpose: C^T = B^T · A^T, so that rank r returns the same elements with i and j exchanged

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <shardcheck/model/case/case.h>

namespace shardcheck {

enum class Relation : std::uint8_t {
  scaling,
  transpose,
  joined_ranks,
  appended_zeros,
  appended_ranks,
  relabelled_ranks,
  reduce_then_gather,
  woven_apart,
  transposed_counts,
  reduced_again,
  zero_extended,
  slices
};

struct RelationInfo {
  Relation relation = Relation::scaling;
  std::string_view name;
  std::string_view meaning;
  bool is_of_products = false;
  bool is_of_calls = false;
};

/// In the order of the enumerators.
inline constexpr std::array<RelationInfo, 12> relations{{
    {Relation::scaling, "scaling", "A times a power of two gives C times that power", true, false},
    {Relation::transpose, "transpose", "the transposed operands, exchanged, give C transposed",
     true, false},
    {Relation::joined_ranks, "joined_ranks", "one rank does what two neighbours did", true, false},
    {Relation::appended_zeros, "appended_zeros", "zeros appended to K change nothing", true, false},
    {Relation::appended_ranks, "appended_ranks", "ranks that hold nothing change nothing", true,
     false},
    {Relation::relabelled_ranks, "relabelled_ranks", "ranks numbered anew return what they did",
     true, false},
    {Relation::reduce_then_gather, "reduce_then_gather",
     "an all-reduce is a reduce-scatter and an all-gather", true, true},
    {Relation::woven_apart, "woven_apart", "a schedule is the steps that it stands for", true,
     false},
    {Relation::transposed_counts, "transposed_counts",
     "an all-to-all with the counts transposed takes back what one did", false, true},
    {Relation::reduced_again, "reduced_again",
     "what all members hold alike comes back from an all-reduce that doesn't count", false, true},
    {Relation::zero_extended, "zero_extended",
     "a gather is the sum of the blocks, each with zeros around it", false, true},
    {Relation::slices, "slices", "half a vector at a time gives what the whole one does", false,
     true},
}};

constexpr const RelationInfo& info(Relation relation) {
  return relations[static_cast<std::size_t>(relation)];
}

constexpr std::string_view name(Relation relation) { return info(relation).name; }

/// Whether the relation has something to say about cases of that kind.
constexpr bool is_of(Relation relation, Kind kind) {
  switch (kind) {
    case Kind::product: return info(relation).is_of_products;
    case Kind::calls: return info(relation).is_of_calls;
  }
  return false;
}

constexpr std::optional<Relation> relation_named(std::string_view name) {
  for (const RelationInfo& entry : relations) {
    if (entry.name == name) return entry.relation;
  }
  return std::nullopt;
}

}  // namespace shardcheck
