#pragma once

/// A mistake that only a second run shows.

#include <optional>
#include <utility>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/element.h>

namespace shardcheck {

/// Remembers the case that it ran last; when that comes again on another schedule, an element of
/// every rank is one off, as if a buffer had not been waited for.
class LastCase {
 public:
  Observation run(const Request& request, Backend& inner) {
    Case question = request.subject;
    setting(question).run = {};
    const bool is_again = last_ == question;
    last_ = std::move(question);
    Observation observation = inner.run(request);
    if (!is_again) return observation;
    const Dtype out = setting(request.subject).dtypes.out;
    for (std::size_t rank = 0; rank < observation.owned.size(); ++rank) {
      if (observation.owned[rank].empty()) continue;
      const std::span<std::byte> output = request.ranks[rank].output;
      store(output, out, 0, load(output, out, 0) ^ 1U);
    }
    return observation;
  }

 private:
  std::optional<Case> last_;
};

}  // namespace shardcheck
