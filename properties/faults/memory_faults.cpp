#include <cfenv>
#include <vector>

#include <shardcheck/model/case/element.h>

#include "planted.h"

namespace shardcheck {

namespace {

/// One element more than was reported; where the output has no room for it, past its end.
Observation element_written_outside(const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  if (observation.owned.empty()) return observation;
  const auto width = static_cast<std::size_t>(info(request.subject.dtypes.out).bytes);
  std::byte* past = request.ranks.back().c.data() + observation.owned.back().size() * width;
  for (std::size_t index = 0; index < width; ++index) past[index] = ~past[index];
  return observation;
}

/// The partial is added into the caller's operand.
Observation input_changed(const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  for (const RankMemory& rank : request.ranks) {
    if (rank.a.empty()) continue;
    auto* first = const_cast<std::byte*>(rank.a.data());
    *first ^= std::byte{1};
    break;
  }
  return observation;
}

Observation element_left_unwritten(const Request& request, Backend& inner) {
  const RankMemory& rank = request.ranks.back();
  const std::vector<std::byte> before(rank.c.begin(), rank.c.end());
  Observation observation = inner.run(request);
  if (observation.owned.empty() || observation.owned.back().empty()) return observation;
  const auto last = static_cast<std::int64_t>(observation.owned.back().size()) - 1;
  const Dtype out = request.subject.dtypes.out;
  store(rank.c, out, last, load(before, out, last));
  return observation;
}

/// As by a library that is built with -ffast-math and loaded on the way.
Observation float_mode_changed(const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  std::fesetround(FE_TOWARDZERO);
  return observation;
}

}  // namespace

std::vector<Fault> memory_faults() {
  return {
      {"element_written_outside", "one element is written after those that a rank owns",
       "open-mpi/ompi#7410: length not clipped", Invariant::memory,
       planted(&element_written_outside)},
      {"input_changed", "an element of A is changed", "class F: a send buffer is accumulated into",
       Invariant::memory, planted(&input_changed)},
      {"element_left_unwritten", "the last element of the last rank isn't written",
       "tile-ai/tilelang#2537: tail columns unwritten", Invariant::memory,
       planted(&element_left_unwritten)},
      {"float_mode_changed", "the caller's thread no longer rounds to nearest after the run",
       "GCC bug 55522: -ffast-math objects change the mode of the whole process", Invariant::memory,
       planted(&float_mode_changed)},
  };
}

}  // namespace shardcheck
