#pragma once

/// How a mistake in a collective is planted: a function stands between the harness and the correct
/// backend, a wrapper between a rank and its endpoint, or another function in the table of
/// algorithms.
///
///     planted(&root_fixed_at_zero)      // a factory, as CollectiveFault::make wants it

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/backend.h>

#include "collective_fault.h"

namespace shardcheck {

using CollectiveFactory = std::function<std::unique_ptr<Backend>()>;

/// Runs `inner` on the request, or on a request made from it, and alters what comes of it.
using CollectiveMistake =
    std::function<Observation(const Request& request, Backend& inner)>;

CollectiveFactory planted(CollectiveMistake mistake);
CollectiveFactory planted_endpoint(impl::EndpointWrapper wrap);
CollectiveFactory planted_table(const std::function<void(impl::CollectiveTable&)>& alter);

/// The function of an algorithm, to be replaced. Requires: the collective has it.
template <typename Entries>
auto& function_of(Entries& entries, Algorithm algorithm) {
  auto* found = entries.data();
  while (found->algorithm != algorithm) ++found;
  return found->run;
}

/// Every rank's input in memory of its own, so that a mistake may change it; also in place.
/// Outputs are the request's own.
class CopiedCollectiveInputs {
 public:
  explicit CopiedCollectiveInputs(const Request& request);

  std::vector<std::byte>& of(std::size_t rank) { return inputs_[rank]; }
  /// The request with these inputs, perhaps of another case; valid as long as this object.
  Request request(const CallsCase& subject);

 private:
  bool trace_;
  std::vector<std::vector<std::byte>> inputs_;
  std::vector<RankMemory> ranks_;
};

/// By the way in which they are planted.
std::vector<CollectiveFault> collective_algorithm_faults();
std::vector<CollectiveFault> collective_endpoint_faults();
std::vector<CollectiveFault> collective_harness_faults();

}  // namespace shardcheck
