#include "planted.h"

#include <utility>

#include <shardcheck/model/exact/format.h>

namespace shardcheck {

namespace {

class Planted final : public Backend {
 public:
  Planted(Mistake mistake, impl::EndpointWrapper wrap)
      : inner_(std::move(wrap)), mistake_(std::move(mistake)) {}

  std::string_view name() const override { return "planted"; }
  Promises promises() const override { return inner_.promises(); }
  Observation run(const Request& request) override {
    return mistake_ ? mistake_(request, inner_) : inner_.run(request);
  }

 private:
  impl::ShardedBackend inner_;
  Mistake mistake_;
};

}  // namespace

std::function<std::unique_ptr<Backend>()> planted(Mistake mistake) {
  return [mistake = std::move(mistake)] {
    return std::make_unique<Planted>(mistake, impl::EndpointWrapper{});
  };
}

std::function<std::unique_ptr<Backend>()> planted(impl::EndpointWrapper wrap) {
  return [wrap = std::move(wrap)] { return std::make_unique<Planted>(Mistake{}, wrap); };
}

CopiedInputs::CopiedInputs(const Request& request)
    : subject_(request.subject),
      trace_(request.trace),
      ranks_(request.ranks.begin(), request.ranks.end()) {
  for (const RankMemory& rank : request.ranks) {
    a_.emplace_back(rank.a.begin(), rank.a.end());
    b_.emplace_back(rank.b.begin(), rank.b.end());
  }
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    ranks_[rank].inputs[0] = a_[rank];
    ranks_[rank].inputs[1] = b_[rank];
  }
}

std::span<std::byte> CopiedInputs::of(Tensor tensor, std::size_t rank) {
  return tensor == Tensor::a ? a_[rank] : b_[rank];
}

Bits doubled(Dtype dtype, Bits bits) {
  const auto width = static_cast<unsigned>(8 * info(dtype).bytes);
  const Bits mask = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1;
  if (!info(dtype).is_float) return (bits << 1U) & mask;
  const auto significand = static_cast<unsigned>(model::float_format(dtype).precision - 1);
  const Bits sign = bits & (Bits{1} << (width - 1));
  const Bits magnitude = bits & ~sign;
  if (magnitude >> significand == 0) return sign | (magnitude << 1U);  // zero or subnormal
  return sign | (magnitude + (Bits{1} << significand));
}

}  // namespace shardcheck
