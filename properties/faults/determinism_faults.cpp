#include <memory>
#include <optional>

#include <shardcheck/model/case/element.h>

#include "planted.h"

namespace shardcheck {

namespace {

/// Remembers the case that it ran last; when that comes again on another schedule, an element of
/// every rank is one off, as if a buffer had not been waited for.
class Memory {
 public:
  Observation run(const Request& request, Backend& inner) {
    Case question = request.subject;
    question.run = {};
    const bool is_again = last_ == question;
    last_ = std::move(question);
    Observation observation = inner.run(request);
    if (!is_again) return observation;
    const Dtype out = request.subject.dtypes.out;
    for (std::size_t rank = 0; rank < observation.owned.size(); ++rank) {
      if (observation.owned[rank].empty()) continue;
      store(request.ranks[rank].c, out, 0, load(request.ranks[rank].c, out, 0) ^ 1U);
    }
    return observation;
  }

 private:
  std::optional<Case> last_;
};

}  // namespace

std::vector<Fault> determinism_faults() {
  return {
      {"second_run_differs", "the same case on another schedule gives other bits",
       "class G: no wait between reduce-scatter and all-gather", Invariant::determinism,
       [] {
         auto memory = std::make_shared<Memory>();
         return planted([memory](const Request& request, Backend& inner) {
           return memory->run(request, inner);
         })();
       }},
  };
}

}  // namespace shardcheck
