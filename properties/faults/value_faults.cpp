#include <algorithm>
#include <memory>
#include <utility>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/number_bits.h>

#include "fault_tables.h"
#include "wrapped_endpoint.h"

namespace shardcheck {

namespace {

/// The next number away from zero, at one coordinate, on every rank that owns it.
Observation one_ulp_added(const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  const auto owner =
      std::ranges::find_if(observation.owned, [](const auto& owned) { return !owned.empty(); });
  if (owner == observation.owned.end()) return observation;
  const std::int64_t coordinate = owner->front();
  const Dtype out = setting(request.subject).dtypes.out;
  for (std::size_t rank = 0; rank < observation.owned.size(); ++rank) {
    const auto& owned = observation.owned[rank];
    const auto found = std::ranges::find(owned, coordinate);
    if (found == owned.end()) continue;
    const std::int64_t position = found - owned.begin();
    const std::span<std::byte> output = request.ranks[rank].output;
    store(output, out, position, load(output, out, position) + 1);
  }
  return observation;
}

/// A subnormal result becomes a zero of its sign, as in hardware set to flush.
Observation subnormals_flushed(const Request& request, Backend& inner) {
  Observation observation = inner.run(request);
  const Dtype out = setting(request.subject).dtypes.out;
  if (!info(out).is_float) return observation;
  const FloatBits& f = float_bits(out);
  const Bits least_normal = Bits{1} << f.fraction_bits;
  for (std::size_t rank = 0; rank < observation.owned.size(); ++rank) {
    const std::span<std::byte> output = request.ranks[rank].output;
    for (std::size_t index = 0; index < observation.owned[rank].size(); ++index) {
      const auto position = static_cast<std::int64_t>(index);
      const Bits bits = load(output, out, position);
      if ((bits & ~sign_bit(f)) < least_normal) store(output, out, position, bits & sign_bit(f));
    }
  }
  return observation;
}

/// The last rank sends what stood in the buffer the time before.
class StaleSender final : public WrappedEndpoint {
 public:
  using WrappedEndpoint::WrappedEndpoint;

  impl::Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    auto sent = std::make_unique<std::vector<std::byte>>(payload.begin(), payload.end());
    const bool is_stale =
        rank() + 1 == rank_count() && previous_ != nullptr && previous_->size() == sent->size();
    const std::vector<std::byte>& chosen = is_stale ? *previous_ : *sent;
    const impl::Pending pending = inner().start_send(destination, chosen);
    previous_ = sent.get();
    kept_.push_back(std::move(sent));
    return pending;
  }

 private:
  std::vector<std::unique_ptr<std::vector<std::byte>>> kept_;  ///< the runtime may read late
  const std::vector<std::byte>* previous_ = nullptr;
};

}  // namespace

std::vector<PlantedFault> value_faults() {
  return {
      {"one_ulp_added", "one element is the next number, on every replica",
       "class J: a result rounded the wrong way", Invariant::value, planted(&one_ulp_added)},
      {"subnormals_flushed", "subnormal results become zero",
       "GCC bug 55522: -ffast-math objects flush them in the whole process", Invariant::value,
       planted(&subnormals_flushed)},
      {"stale_message", "a message carries what stood in its buffer the time before",
       "class G: a send buffer reused early", Invariant::value, planted(wrapped<StaleSender>())},
  };
}

}  // namespace shardcheck
