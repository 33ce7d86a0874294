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

}  // namespace shardcheck
