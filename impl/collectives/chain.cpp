#include "chain.h"

#include "partials.h"

namespace shardcheck::impl {

void chain_reduce(const Member& member, std::int64_t root, std::int64_t count,
                  const Reduction& reduction, std::byte* sums) {
  const Member link = seen_from(member, root);
  const std::int64_t u = link.group.self;
  const Place own = place_of(reduction, sums, 0);
  const bool is_end = u + 1 == link.group.count;
  const Target target = u == 0 ? last_target(reduction, sums) : Target{sums, false};
  if (!is_end) receive_partials(link, u + 1, reduction, Side::right, own, target, count);
  if (u == 0) {
    if (is_end) put(link, reduction, own, target, count);
    return leave_in_sums(link, reduction, sums, count);
  }
  const Workspace::Mark mark = link.workspace.mark();
  const PartialSender sender(link, reduction, count);
  link.endpoint.wait(sender.start(u - 1, is_end ? own : Place{sums, false}, count));
  link.workspace.release(mark);
}

void chain_broadcast(const Member& member, std::int64_t root, std::int64_t count, Dtype dtype,
                     std::byte* elements) {
  const Member link = seen_from(member, root);
  const std::int64_t u = link.group.self;
  const std::int64_t bytes = count * info(dtype).bytes;
  announce(link, dtype);
  if (u > 0) receive(link, u - 1, elements, bytes);
  if (u + 1 < link.group.count) {
    link.endpoint.wait(start_send(link, u + 1, elements, bytes));
  }
}

}  // namespace shardcheck::impl
