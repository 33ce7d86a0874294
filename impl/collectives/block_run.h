#pragma once

/// Messages of consecutive blocks, counted modulo P: after the last block comes block 0.
///
///     start_send_blocks(member, peer, starts, {3, 4}, width, elements)   // P = 5: 3 4 0 1

#include "collectives.h"

namespace shardcheck::impl {

struct BlockRun {
  std::int64_t first = 0;
  std::int64_t count = 0;  ///< at most P
};

/// Straight from `elements` if the run lies there in one piece, else from a copy in the workspace,
/// which the caller releases after it has waited. Requires: the dtype is announced.
Pending start_send_blocks(const Member& member, std::int64_t peer, BlockStarts starts, BlockRun run,
                          std::int64_t element_bytes, const std::byte* elements);

/// Puts the blocks that `peer` sends where they belong among `elements`.
void receive_blocks(const Member& member, std::int64_t peer, BlockStarts starts, BlockRun run,
                    std::int64_t element_bytes, std::byte* elements);

}  // namespace shardcheck::impl
