#pragma once

/// Cutting a tensor anew: every rank gets, in one message a pair, what it must own and doesn't
/// hold.
///
/// A message goes from a rank to those that share its coordinates on every mesh axis that doesn't
/// cut the tensor, so that each element comes from one holder; its elements lie row-major in the
/// order of the receiver's lists. Two ranks with nothing to move exchange no message.
/// Source: docs/plans.md, "Steps" and "Bytes".

#include <shardcheck/impl/plan/steps.h>
#include <shardcheck/impl/rank/rank_tensor.h>

namespace shardcheck::impl {

struct Exchange {
  const ListsPool& pool;
  TensorState from;
  TensorState to;
  std::int64_t element_bytes = 4;
};

/// Moves elements as they are. `destination` has room for what the rank holds afterwards. If
/// `is_sent` isn't null it has one byte for each element held before, and the bytes of those that
/// were sent to anybody become 1.
void exchange(Endpoint& endpoint, const Exchange& how, const std::byte* elements,
              std::byte* destination, std::uint8_t* is_sent, Workspace& workspace);

/// Copies into `destination` the elements that this rank held, holds, and sent to nobody.
void keep_unsent(std::int64_t rank, const Exchange& how, const std::byte* elements,
                 const std::uint8_t* is_sent, std::byte* destination, Workspace& workspace);

}  // namespace shardcheck::impl
