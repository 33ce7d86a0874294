#include <algorithm>
#include <memory>

#include <shardcheck/impl/convert.h>

#include "collectives.h"

namespace shardcheck::impl {
namespace {

/// A member's share of the fold x_0, x_1, …: what has been added so far.
struct Fold {
  const Reduction& reduction;
  Storage storage;
  std::byte* sum;
  std::int64_t count;
};

void fold_in(const Fold& fold, bool is_first, const std::byte* message) {
  if (is_first) {
    widen(fold.reduction.wire, message, fold.storage, fold.sum, fold.count);
  } else {
    add_widened(fold.reduction.wire, message, fold.reduction.acc, fold.sum, fold.count);
  }
}

}  // namespace

void direct_reduce_scatter(Endpoint& endpoint, const Group& group, BlockStarts starts,
                           const Reduction& reduction, std::byte* sums, Workspace& workspace) {
  const Storage storage = storage_of(reduction.acc);
  const std::int64_t sum_bytes = bytes_of(storage);
  const std::int64_t wire_bytes = info(reduction.wire).bytes;
  const bool as_is = is_stored_as_is(reduction.wire, storage);
  const Workspace::Mark mark = workspace.mark();
  std::byte* encoded = as_is ? sums : workspace.take(starts.back() * wire_bytes);
  if (!as_is) narrow(storage, sums, reduction.wire, encoded, starts.back());
  auto* sent = reinterpret_cast<Pending*>(
      workspace.take(group.count * static_cast<std::int64_t>(sizeof(Pending))));
  for (std::int64_t member = 0; member < group.count; ++member) {
    if (member == group.self) continue;
    std::construct_at(
        sent + member,
        endpoint.start_send(rank_of(group, member),
                            {encoded + start_of(starts, member) * wire_bytes,
                             static_cast<std::size_t>(length_of(starts, member) * wire_bytes)}));
  }
  const std::int64_t count = length_of(starts, group.self);
  std::byte* own = sums + start_of(starts, group.self) * sum_bytes;
  const Fold fold{reduction, storage, workspace.take(count * sum_bytes), count};
  for (std::int64_t member = 0; member < group.count; ++member) {
    const bool is_first = member == 0;
    if (member != group.self) {
      endpoint.receive(rank_of(group, member), static_cast<std::size_t>(count * wire_bytes),
                       [&fold, is_first](std::span<const std::byte> message) {
                         fold_in(fold, is_first, message.data());
                       });
    } else if (is_first) {
      std::copy_n(own, count * sum_bytes, fold.sum);
    } else {
      add_stored(reduction.acc, own, fold.sum, count);
    }
  }
  std::copy_n(fold.sum, count * sum_bytes, own);
  for (std::int64_t member = 0; member < group.count; ++member) {
    if (member != group.self) endpoint.wait(sent[member]);
  }
  workspace.release(mark);
}

void direct_all_gather(Endpoint& endpoint, const Group& group, BlockStarts starts,
                       std::int64_t element_bytes, std::byte* elements, Workspace& workspace) {
  const Workspace::Mark mark = workspace.mark();
  auto* sent = reinterpret_cast<Pending*>(
      workspace.take(group.count * static_cast<std::int64_t>(sizeof(Pending))));
  const std::span<const std::byte> own(
      elements + start_of(starts, group.self) * element_bytes,
      static_cast<std::size_t>(length_of(starts, group.self) * element_bytes));
  for (std::int64_t member = 0; member < group.count; ++member) {
    if (member == group.self) continue;
    std::construct_at(sent + member, endpoint.start_send(rank_of(group, member), own));
  }
  for (std::int64_t member = 0; member < group.count; ++member) {
    if (member == group.self) continue;
    std::byte* destination = elements + start_of(starts, member) * element_bytes;
    endpoint.receive(rank_of(group, member),
                     static_cast<std::size_t>(length_of(starts, member) * element_bytes),
                     [destination](std::span<const std::byte> message) {
                       std::copy(message.begin(), message.end(), destination);
                     });
  }
  for (std::int64_t member = 0; member < group.count; ++member) {
    if (member != group.self) endpoint.wait(sent[member]);
  }
  workspace.release(mark);
}

}  // namespace shardcheck::impl
