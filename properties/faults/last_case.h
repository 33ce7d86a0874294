#pragma once

/// A mistake that only a second run shows, in products and in collectives alone.

#include <cstddef>
#include <optional>
#include <utility>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/observation.h>

namespace shardcheck {

/// Remembers the case that it ran last; when that comes again on another schedule, an element of
/// every rank is one off, as if a buffer had not been waited for.
template <class Subject>
class LastCase {
 public:
  /// `output_of`: the memory of a rank's result.
  template <class Request, class AnyBackend, class OutputOf>
  Observation run(const Request& request, AnyBackend& inner, const OutputOf& output_of) {
    Subject question = request.subject;
    question.run = {};
    const bool is_again = last_ == question;
    last_ = std::move(question);
    Observation observation = inner.run(request);
    if (!is_again) return observation;
    const Dtype out = request.subject.dtypes.out;
    for (std::size_t rank = 0; rank < observation.owned.size(); ++rank) {
      if (observation.owned[rank].empty()) continue;
      store(output_of(rank), out, 0, load(output_of(rank), out, 0) ^ 1U);
    }
    return observation;
  }

 private:
  std::optional<Subject> last_;
};

}  // namespace shardcheck
