#include "planted.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace shardcheck {

namespace {

class Planted final : public Backend {
 public:
  Planted(std::vector<Kind> kinds, impl::ShardedBackend inner, Mistake mistake)
      : kinds_(std::move(kinds)), inner_(std::move(inner)), mistake_(std::move(mistake)) {}

  std::string_view name() const override { return "planted"; }
  bool serves(Kind kind) const override {
    return std::ranges::find(kinds_, kind) != kinds_.end() && inner_.serves(kind);
  }
  Promises promises() const override { return inner_.promises(); }
  Observation run(const Request& request) override {
    return mistake_ ? mistake_(request, inner_) : inner_.run(request);
  }

 private:
  std::vector<Kind> kinds_;
  impl::ShardedBackend inner_;
  Mistake mistake_;  ///< none where the mistake is in `inner_`
};

std::vector<Kind> every_kind() {
  std::vector<Kind> all;
  for (const KindInfo& row : kinds) all.push_back(row.kind);
  return all;
}

Planting planted_in(std::vector<Kind> kinds, Mistake mistake) {
  const auto make = [kinds, mistake = std::move(mistake)] {
    return std::make_unique<Planted>(kinds, impl::ShardedBackend(), mistake);
  };
  return {kinds, make};
}

Planting planted_in(std::vector<Kind> kinds, impl::EndpointWrapper wrap) {
  const auto make = [kinds, wrap = std::move(wrap)] {
    return std::make_unique<Planted>(kinds, impl::ShardedBackend(wrap), Mistake{});
  };
  return {kinds, make};
}

/// A mistake of one kind, whose cases are `Work`.
template <class Work, class MistakeOfKind>
Mistake of_kind(MistakeOfKind mistake) {
  return [mistake = std::move(mistake)](const Request& request, Backend& inner) {
    return mistake(std::get<Work>(request.subject), request, inner);
  };
}

}  // namespace

Planting planted(Mistake mistake) { return planted_in(every_kind(), std::move(mistake)); }

Planting planted(impl::EndpointWrapper wrap) { return planted_in(every_kind(), std::move(wrap)); }

Planting planted_anew(std::function<Mistake()> mistake) {
  const auto make = [mistake = std::move(mistake)] {
    return std::make_unique<Planted>(every_kind(), impl::ShardedBackend(), mistake());
  };
  return {every_kind(), make};
}

Planting planted(ProductMistake mistake) {
  return planted_in({Kind::product}, of_kind<ProductCase>(std::move(mistake)));
}

Planting planted(CallsMistake mistake) {
  return planted_in({Kind::calls}, of_kind<CallsCase>(std::move(mistake)));
}

Planting planted_in_calls(impl::EndpointWrapper wrap) {
  return planted_in({Kind::calls}, std::move(wrap));
}

Planting planted_table(const std::function<void(impl::CollectiveTable&)>& alter) {
  impl::CollectiveTable table = impl::collective_table();
  alter(table);
  const std::vector<Kind> calls{Kind::calls};
  const auto make = [calls, table] {
    return std::make_unique<Planted>(calls, impl::ShardedBackend({}, table), Mistake{});
  };
  return {calls, make};
}

}  // namespace shardcheck
