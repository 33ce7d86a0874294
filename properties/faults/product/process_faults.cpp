#include <cstddef>
#include <cstdlib>
#include <memory>

#include "fault_tables.h"

namespace shardcheck {

namespace {

/// Steps over k by two and looks for K itself, which an odd K never meets.
Observation loop_runs_past_its_end(const ProductCase& subject, const Request& request,
                                   Backend& inner) {
  volatile bool goes_on = subject.i > 0 && subject.j > 0 && subject.k % 2 == 1;
  while (goes_on) {
  }
  return inner.run(request);
}

Observation empty_shard_aborts(const ProductCase& /*subject*/, const Request& request,
                               Backend& inner) {
  for (const RankMemory& rank : request.ranks) {
    if (rank.inputs[0].empty()) std::abort();
  }
  return inner.run(request);
}

/// Right on any machine that is large enough: only who limits memory notices.
Observation gibibyte_of_scratch(const ProductCase& subject, const Request& request,
                                Backend& inner) {
  if (subject.k == 0) return inner.run(request);
  const std::unique_ptr<std::byte[]> scratch(new std::byte[std::size_t{1} << 30U]);
  // Memory that is never used may never be asked for.
  volatile std::byte* const used = scratch.get();
  *used = std::byte{1};
  return inner.run(request);
}

}  // namespace

std::vector<PlantedFault> product_process_faults() {
  return {
      {"loop_runs_past_its_end", "a rank computes for ever where k is odd",
       "class P: a loop's end is stepped over", Invariant::liveness,
       planted(&loop_runs_past_its_end)},
      {"empty_shard_aborts", "the process aborts where a rank holds nothing of A",
       "class P: an assertion that forgets the empty shard", Invariant::liveness,
       planted(&empty_shard_aborts)},
      {"gibibyte_of_scratch", "a GiB of scratch is taken where there is a k, whatever its size",
       "class P: a buffer for the largest problem", Invariant::liveness,
       planted(&gibibyte_of_scratch)},
  };
}

}  // namespace shardcheck
