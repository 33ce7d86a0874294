#pragma once

/// The metamorphic relations: changes to a case after which its answer must change in a known way.
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

namespace shardcheck {

enum class Relation : std::uint8_t {
  scaling,
  transpose,
  joined_ranks,
  appended_zeros,
  appended_ranks,
  relabelled_ranks,
  reduce_then_gather,
  woven_apart
};

struct RelationInfo {
  Relation relation = Relation::scaling;
  std::string_view name;
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<RelationInfo, 8> relations{{
    {Relation::scaling, "scaling", "A times a power of two gives C times that power"},
    {Relation::transpose, "transpose", "the transposed operands, exchanged, give C transposed"},
    {Relation::joined_ranks, "joined_ranks", "one rank does what two neighbours did"},
    {Relation::appended_zeros, "appended_zeros", "zeros appended to K change nothing"},
    {Relation::appended_ranks, "appended_ranks", "ranks that hold nothing change nothing"},
    {Relation::relabelled_ranks, "relabelled_ranks", "ranks numbered anew return what they did"},
    {Relation::reduce_then_gather, "reduce_then_gather",
     "an all-reduce is a reduce-scatter and an all-gather"},
    {Relation::woven_apart, "woven_apart", "a schedule is the steps that it stands for"},
}};

constexpr std::string_view name(Relation relation) {
  return relations[static_cast<std::size_t>(relation)].name;
}

constexpr std::optional<Relation> relation_named(std::string_view name) {
  for (const RelationInfo& entry : relations) {
    if (entry.name == name) return entry.relation;
  }
  return std::nullopt;
}

}  // namespace shardcheck
