#pragma once

/// What ownership asks of the coordinates that ranks return, alike for products and for collectives
/// alone.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "judgement.h"

namespace shardcheck {

/// By rank: whether `judge_rank` takes what the rank returned for the contract's. None does if the
/// coordinates are those of another number of ranks.
std::vector<bool> judge_each_rank(std::size_t ranks, const Observation& observation,
                                  Judgement& judgement,
                                  const std::function<bool(std::size_t rank)>& judge_rank);

/// False, and a finding, if a coordinate of a rank is not below `limit`, or comes twice.
bool are_coordinates(const std::vector<std::int64_t>& owned, std::size_t rank, std::int64_t limit,
                     Judgement& judgement);

/// "C[0,0], C[0,1] and 2 more"; "nothing".
template <class Subject>
std::string elements_named(const Subject& subject, const std::vector<std::int64_t>& coordinates) {
  constexpr std::size_t shown_max = 6;
  if (coordinates.empty()) return "nothing";
  std::string text;
  for (std::size_t index = 0; index < coordinates.size() && index < shown_max; ++index) {
    if (index > 0) text += ", ";
    text += element_name(subject, coordinates[index]);
  }
  if (coordinates.size() > shown_max) {
    text += " and " + std::to_string(coordinates.size() - shown_max) + " more";
  }
  return text;
}

}  // namespace shardcheck
