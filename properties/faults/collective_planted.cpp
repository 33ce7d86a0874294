#include "collective_planted.h"

#include <utility>

namespace shardcheck {

namespace {

class Planted final : public Backend {
 public:
  Planted(CollectiveMistake mistake, impl::EndpointWrapper wrap, const impl::CollectiveTable& table)
      : inner_(std::move(wrap), table), mistake_(std::move(mistake)) {}

  std::string_view name() const override { return "planted"; }
  Promises promises() const override { return inner_.promises(); }
  Observation run(const Request& request) override {
    return mistake_ ? mistake_(request, inner_) : inner_.run(request);
  }

 private:
  impl::ShardedBackend inner_;
  CollectiveMistake mistake_;
};

}  // namespace

CollectiveFactory planted(CollectiveMistake mistake) {
  return [mistake = std::move(mistake)] {
    return std::make_unique<Planted>(mistake, impl::EndpointWrapper{}, impl::collective_table());
  };
}

CollectiveFactory planted_endpoint(impl::EndpointWrapper wrap) {
  return [wrap = std::move(wrap)] {
    return std::make_unique<Planted>(CollectiveMistake{}, wrap, impl::collective_table());
  };
}

CollectiveFactory planted_table(const std::function<void(impl::CollectiveTable&)>& alter) {
  impl::CollectiveTable table = impl::collective_table();
  alter(table);
  return [table] {
    return std::make_unique<Planted>(CollectiveMistake{}, impl::EndpointWrapper{}, table);
  };
}

CopiedCollectiveInputs::CopiedCollectiveInputs(const Request& request)
    : trace_(request.trace), ranks_(request.ranks.begin(), request.ranks.end()) {
  for (const RankMemory& rank : request.ranks) {
    inputs_.emplace_back(rank.input.begin(), rank.input.end());
  }
}

Request CopiedCollectiveInputs::request(const CallsCase& subject) {
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) ranks_[rank].inputs[0] = inputs_[rank];
  return {subject, ranks_, trace_};
}

}  // namespace shardcheck
