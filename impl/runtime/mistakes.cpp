#include "mistakes.h"

#include <exception>
#include <new>

#include <fmt/format.h>

#include "runtime_limits.h"

namespace shardcheck::impl {
namespace {

std::string print(const OperationName& operation) {
  return fmt::format("{} {} rank {} in phase {}, message {}",
                     operation.is_send ? "send" : "receive", operation.is_send ? "to" : "from",
                     operation.peer, operation.phase, operation.number);
}

}  // namespace

std::optional<std::string> mistake_in_start(const OperationName& operation, std::size_t bytes,
                                            Dtype dtype, std::int64_t rank_count,
                                            std::int64_t outstanding) {
  const std::int64_t peer = operation.peer;
  if (peer < 0 || peer >= rank_count || peer == operation.rank) {
    return fmt::format("rank {}: {} rank {}: a peer is another rank of {}", operation.rank,
                       operation.is_send ? "send to" : "receive from", peer, rank_count);
  }
  if (outstanding > runtime_limits::operations_outstanding) {
    return fmt::format("rank {} has more than {} operations outstanding", operation.rank,
                       runtime_limits::operations_outstanding);
  }
  if (operation.is_send && bytes % static_cast<std::size_t>(info(dtype).bytes) != 0) {
    return fmt::format("rank {}: send to rank {}: {} bytes are no whole number of {} elements",
                       operation.rank, peer, bytes, info(dtype).name);
  }
  return std::nullopt;
}

std::string wrong_length(const OperationName& receive, std::size_t bytes_expected,
                         std::size_t bytes_sent) {
  return fmt::format("rank {}: {}: expected {} bytes, {} were sent", receive.rank, print(receive),
                     bytes_expected, bytes_sent);
}

std::string never_awaited(const OperationName& operation) {
  return fmt::format("rank {} ended without waiting for its {}", operation.rank, print(operation));
}

std::string not_pending(std::int64_t rank) {
  return fmt::format(
      "rank {} waits for an operation that it has waited for already or never started", rank);
}

std::string current_exception_text() noexcept {
  try {
    try {
      throw;
    } catch (const std::exception& exception) {
      return exception.what();
    } catch (...) {
      return "an exception that is no std::exception";
    }
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

}  // namespace shardcheck::impl
