#include <cfenv>
#include <functional>
#include <span>
#include <vector>

#include <shardcheck/model/case/element.h>

#include "fault_tables.h"
#include "memory_mistakes.h"

namespace shardcheck {

namespace {

bool lies_in(std::span<const std::byte> part, std::span<const std::byte> whole) {
  const std::less_equal<const std::byte*> before;
  return before(whole.data(), part.data()) && before(part.data(), whole.data() + whole.size());
}

Observation element_left_unwritten(const Request& request, Backend& inner) {
  const RankMemory& rank = request.ranks.back();
  const std::vector<std::byte> before(rank.output.begin(), rank.output.end());
  Observation observation = inner.run(request);
  if (observation.owned.empty() || observation.owned.back().empty()) return observation;
  const auto last = static_cast<std::int64_t>(observation.owned.back().size()) - 1;
  const Dtype out = setting(request.subject).dtypes.out;
  store(rank.output, out, last, load(before, out, last));
  return observation;
}

/// As by a library that is built with -ffast-math and loaded on the way.
Observation float_mode_changed(const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  std::fesetround(FE_TOWARDZERO);
  return observation;
}

/// Scratch is laid into the operand before it shows that the case can't be run.
Observation damaged_then_declined(const Request& request, Backend& inner) {
  input_changed(request, inner);
  Observation observation;
  observation.ending = Ending::unsupported;
  observation.cause = "planted: declined too late";
  return observation;
}

}  // namespace

Observation element_written_outside(const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  if (observation.owned.empty()) return observation;
  const auto width = static_cast<std::size_t>(info(setting(request.subject).dtypes.out).bytes);
  std::byte* past = request.ranks.back().output.data() + observation.owned.back().size() * width;
  for (std::size_t index = 0; index < width; ++index) past[index] = ~past[index];
  return observation;
}

Observation input_changed(const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  for (const RankMemory& rank : request.ranks) {
    const std::span<const std::byte> input = rank.inputs[0];
    if (input.empty() || lies_in(input, rank.output)) continue;
    // Undefined for memory that is really constant; the harness's isn't.
    const_cast<std::byte&>(input.front()) ^= std::byte{1};
    break;
  }
  return observation;
}

std::vector<PlantedFault> memory_faults() {
  return {
      {"element_written_outside", "one element is written after those that a rank owns",
       "open-mpi/ompi#7410: length not clipped", Invariant::memory,
       planted(&element_written_outside)},
      {"input_changed", "an element of an input is changed",
       "class F: a send buffer is accumulated into", Invariant::memory, planted(&input_changed)},
      {"element_left_unwritten", "the last element of the last rank isn't written",
       "tile-ai/tilelang#2537: tail columns unwritten", Invariant::memory,
       planted(&element_left_unwritten)},
      {"float_mode_changed", "the caller's thread no longer rounds to nearest after the run",
       "GCC bug 55522: -ffast-math objects change the mode of the whole process", Invariant::memory,
       planted(&float_mode_changed)},
      {"damaged_then_declined", "an element of an input is changed by a backend that then declines",
       "class P: scratch is used before the case is found to be beyond reach", Invariant::memory,
       planted(&damaged_then_declined)},
  };
}

}  // namespace shardcheck
