#pragma once

/// A lower bound on the bytes that a plan still has to send, for the search to look ahead.
///
/// Whatever the steps, the product is taken with A's rows over some mesh axes R, B's columns over Q
/// and k over K. For each choice that the state still allows
///   A, B   receive at least what all ranks together must hold then beyond what they hold now;
///   C      is summed over the axes of K that the consumer doesn't want partial: with H elements
///          held, sliced as far as it can be, at least wire · H · (1 - 1/p), p the ranks of those
///          axes; and what the ranks must hold in the end beyond H/p is received by somebody.
/// The bound is the least over the choices. It falls along no step by more than the step sends, so
/// that a search that adds it to the bytes sent never has to look at a state again.

#include <cstdint>
#include <unordered_map>

#include "steps.h"

namespace shardcheck::impl {

class PlanBound {
 public:
  explicit PlanBound(const Situation& situation);

  std::int64_t bytes_left(const PlanState& state);

 private:
  std::int64_t for_product(MeshAxes cutting, MeshAxes partial_over) const;
  std::int64_t for_operands(const PlanState& state) const;
  std::int64_t ranks_over(MeshAxes axes) const { return cell_count(situation_.pool.grid(), axes); }

  const Situation& situation_;
  MeshAxes consumer_cuts_ = 0;
  std::int64_t a_elements_ = 0;
  std::int64_t b_elements_ = 0;
  std::int64_t c_elements_ = 0;
  std::unordered_map<std::uint64_t, std::int64_t> known_;
};

}  // namespace shardcheck::impl
