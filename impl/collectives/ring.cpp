#include <algorithm>

#include <shardcheck/impl/convert.h>

#include "collectives.h"

namespace shardcheck::impl {
namespace {

std::int64_t wrapped(std::int64_t member, std::int64_t count) {
  return (member % count + count) % count;
}

std::int64_t longest(BlockStarts starts) {
  std::int64_t elements = 0;
  for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
    elements = std::max(elements, starts[block + 1] - starts[block]);
  }
  return elements;
}

}  // namespace

/// The sum of block b sets out at member b+1 and gathers one partial a step until it is home at b.
void ring_reduce_scatter(Endpoint& endpoint, const Group& group, BlockStarts starts,
                         const Reduction& reduction, std::byte* sums, Workspace& workspace) {
  const Storage storage = storage_of(reduction.acc);
  const std::int64_t sum_bytes = bytes_of(storage);
  const std::int64_t wire_bytes = info(reduction.wire).bytes;
  const bool as_is = is_stored_as_is(reduction.wire, storage);
  const Workspace::Mark mark = workspace.mark();
  std::byte* encoded = as_is ? nullptr : workspace.take(longest(starts) * wire_bytes);
  const std::int64_t next = rank_of(group, wrapped(group.self + 1, group.count));
  const std::int64_t previous = rank_of(group, wrapped(group.self - 1, group.count));
  for (std::int64_t step = 0; step + 1 < group.count; ++step) {
    const std::int64_t leaving = wrapped(group.self - 1 - step, group.count);
    const std::int64_t arriving = wrapped(group.self - 2 - step, group.count);
    const std::int64_t leaving_count = length_of(starts, leaving);
    std::byte* payload = sums + start_of(starts, leaving) * sum_bytes;
    if (!as_is) {
      narrow(storage, payload, reduction.wire, encoded, leaving_count);
      payload = encoded;
    }
    const Pending sent =
        endpoint.start_send(next, {payload, static_cast<std::size_t>(leaving_count * wire_bytes)});
    struct Arrival {
      const Reduction& reduction;
      std::byte* sums;
      std::int64_t count;
    } arrival{reduction, sums + start_of(starts, arriving) * sum_bytes,
              length_of(starts, arriving)};
    endpoint.receive(previous, static_cast<std::size_t>(arrival.count * wire_bytes),
                     [&arrival](std::span<const std::byte> message) {
                       add_widened(arrival.reduction.wire, message.data(), arrival.reduction.acc,
                                   arrival.sums, arrival.count);
                     });
    endpoint.wait(sent);
  }
  workspace.release(mark);
}

/// Every block travels round the ring and stops before the member that started with it.
void ring_all_gather(Endpoint& endpoint, const Group& group, BlockStarts starts,
                     std::int64_t element_bytes, std::byte* elements, Workspace& /*workspace*/) {
  const std::int64_t next = rank_of(group, wrapped(group.self + 1, group.count));
  const std::int64_t previous = rank_of(group, wrapped(group.self - 1, group.count));
  for (std::int64_t step = 0; step + 1 < group.count; ++step) {
    const std::int64_t leaving = wrapped(group.self - step, group.count);
    const std::int64_t arriving = wrapped(group.self - 1 - step, group.count);
    const Pending sent = endpoint.start_send(
        next, {elements + start_of(starts, leaving) * element_bytes,
               static_cast<std::size_t>(length_of(starts, leaving) * element_bytes)});
    std::byte* destination = elements + start_of(starts, arriving) * element_bytes;
    endpoint.receive(previous,
                     static_cast<std::size_t>(length_of(starts, arriving) * element_bytes),
                     [destination](std::span<const std::byte> message) {
                       std::copy(message.begin(), message.end(), destination);
                     });
    endpoint.wait(sent);
  }
}

}  // namespace shardcheck::impl
