#include <algorithm>

#include "reductions.h"

namespace shardcheck {
namespace {

using Number = std::uint64_t;

Number elements_of(const CallsCase& subject) {
  std::int64_t total = subject.n;
  for (const auto& row : subject.counts) {
    for (const std::int64_t count : row) total += count;
  }
  return static_cast<Number>(total);
}

Number algorithm_steps(const CallsCase& subject) {
  Number total = 0;
  for (const Call& call : subject.calls) {
    const auto offered = algorithms_of(call.collective);
    total += static_cast<Number>(std::find(offered.begin(), offered.end(), call.algorithm) -
                                 offered.begin());
  }
  return total;
}

Number unusual_destinations(const std::vector<std::int64_t>& to) {
  Number total = 0;
  const auto members = static_cast<std::int64_t>(to.size());
  for (std::int64_t m = 0; m < members; ++m) {
    const std::int64_t destination = to[static_cast<std::size_t>(m)];
    if (destination < 0) total += 1;
    if (destination >= 0 && destination != (m + 1) % members) total += 2;
  }
  return total;
}

}  // namespace

OwnMeasure measure_own(const CallsCase& subject) {
  return {.sizes = {subject.calls.size(), elements_of(subject)},
          .shape = {weight(subject.split), subject.counts.size(),
                    unusual_destinations(subject.destinations), static_cast<Number>(subject.root),
                    static_cast<Number>(subject.op)},
          .choices = {algorithm_steps(subject), subject.in_place ? Number{1} : Number{0}}};
}

}  // namespace shardcheck
