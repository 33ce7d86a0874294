#include "planted.h"

#include <utility>

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
  impl::ShardedMatmul inner_;
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
    ranks_[rank].a = a_[rank];
    ranks_[rank].b = b_[rank];
  }
}

std::span<std::byte> CopiedInputs::of(Tensor tensor, std::size_t rank) {
  return tensor == Tensor::a ? a_[rank] : b_[rank];
}

Bits doubled(Dtype dtype, Bits bits) {
  const auto width = static_cast<unsigned>(8 * info(dtype).bytes);
  const Bits mask = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1;
  if (!info(dtype).is_float) return (bits << 1U) & mask;
  unsigned significand = 0;
  switch (dtype) {
    case Dtype::f8e4m3fn: significand = 3; break;
    case Dtype::f8e5m2: significand = 2; break;
    case Dtype::f16: significand = 10; break;
    case Dtype::bf16: significand = 7; break;
    case Dtype::f32: significand = 23; break;
    case Dtype::f64: significand = 52; break;
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16:
    case Dtype::i32:
    case Dtype::u32:
    case Dtype::i64:
    case Dtype::u64: break;
  }
  const Bits sign = bits & (Bits{1} << (width - 1));
  const Bits magnitude = bits & ~sign;
  if (magnitude >> significand == 0) return sign | (magnitude << 1U);  // zero or subnormal
  return sign | (magnitude + (Bits{1} << significand));
}

}  // namespace shardcheck
