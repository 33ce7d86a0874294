#include "chain.h"

#include "partials.h"

namespace shardcheck::impl {

void chain_reduce(const Member& member, std::int64_t root, std::int64_t count,
                  const Reduction& reduction, std::byte* sums) {
  const Member link = seen_from(member, root);
  const std::int64_t u = link.group.self;
  if (u + 1 < link.group.count) {
    receive_partials(link, u + 1, reduction, Side::right, sums, count);
  }
  if (u == 0) return divide_if_average(link, reduction, sums, count);
  const Workspace::Mark mark = link.workspace.mark();
  const PartialSender sender(link, reduction, count);
  link.endpoint.wait(sender.start(u - 1, sums, count));
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
