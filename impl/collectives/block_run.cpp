#include "block_run.h"

#include <algorithm>

#include "partials.h"

namespace shardcheck::impl {
namespace {

/// The pieces of a run in bytes: up to the end of the vector, and from its start on.
struct Pieces {
  std::int64_t start = 0;
  std::int64_t bytes = 0;
  std::int64_t wrapped_bytes = 0;
};

Pieces pieces_of(const Group& group, BlockStarts starts, BlockRun run, std::int64_t element_bytes) {
  const std::int64_t first = run.first % group.count;
  const std::int64_t end = first + run.count;
  Pieces pieces;
  pieces.start = start_of(starts, first) * element_bytes;
  pieces.bytes = start_of(starts, std::min(end, group.count)) * element_bytes - pieces.start;
  if (end > group.count) pieces.wrapped_bytes = start_of(starts, end - group.count) * element_bytes;
  return pieces;
}

}  // namespace

Pending start_send_blocks(const Member& member, std::int64_t peer, BlockStarts starts, BlockRun run,
                          std::int64_t element_bytes, const std::byte* elements) {
  const Pieces pieces = pieces_of(member.group, starts, run, element_bytes);
  if (pieces.wrapped_bytes == 0) {
    return start_send(member, peer, elements + pieces.start, pieces.bytes);
  }
  if (pieces.bytes == 0) return start_send(member, peer, elements, pieces.wrapped_bytes);
  std::byte* whole = member.workspace.take(pieces.bytes + pieces.wrapped_bytes);
  std::copy_n(elements + pieces.start, pieces.bytes, whole);
  std::copy_n(elements, pieces.wrapped_bytes, whole + pieces.bytes);
  return start_send(member, peer, whole, pieces.bytes + pieces.wrapped_bytes);
}

void receive_blocks(const Member& member, std::int64_t peer, BlockStarts starts, BlockRun run,
                    std::int64_t element_bytes, std::byte* elements) {
  const Pieces pieces = pieces_of(member.group, starts, run, element_bytes);
  const auto unpack = [&](const std::byte* message) {
    std::copy_n(message, pieces.bytes, elements + pieces.start);
    std::copy_n(message + pieces.bytes, pieces.wrapped_bytes, elements);
  };
  member.endpoint.receive(
      rank_of(member.group, peer), static_cast<std::size_t>(pieces.bytes + pieces.wrapped_bytes),
      [&unpack](std::span<const std::byte> message) { unpack(message.data()); });
}

}  // namespace shardcheck::impl
