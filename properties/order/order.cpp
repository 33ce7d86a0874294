#include "order.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/ownership.h>
#include <shardcheck/model/plan_rules.h>
#include <shardcheck/properties/judge/arena.h>
#include <shardcheck/properties/judge/run_record.h>

#include "documented.h"
#include "masks.h"
#include "places.h"
#include "reveal.h"

namespace shardcheck {
namespace {

/// The first terms of each different share, equally many of each, at least one.
std::vector<std::int64_t> chosen_terms(const model::PlanState& operands) {
  std::set<std::vector<std::int64_t>> shares;
  for (const model::Shard& shard : operands.a.shards) {
    std::vector<std::int64_t> terms = shard.columns;
    std::ranges::sort(terms);
    if (!terms.empty()) shares.insert(std::move(terms));
  }
  std::vector<std::int64_t> chosen;
  const std::int64_t each =
      std::max<std::int64_t>(order_terms_max / std::max<std::int64_t>(std::ssize(shares), 1), 1);
  for (const auto& share : shares) {
    const auto taken = std::min(std::ssize(share), each);
    chosen.insert(chosen.end(), share.begin(), share.begin() + taken);
  }
  std::ranges::sort(chosen);
  return chosen;
}

bool holds(const model::Shard& shard, std::int64_t row, std::int64_t column) {
  return std::ranges::find(shard.rows, row) != shard.rows.end() &&
         std::ranges::find(shard.columns, column) != shard.columns.end();
}

/// Who makes which of the place's terms: of ranks that make the same ones, the one that agrees with
/// the place's rank on most axes of the mesh.
std::vector<OwnTerms> own_terms(const ProductCase& subject, const model::ResolvedPlan& plan,
                                const OrderFound& found) {
  const model::PlanState& operands = model::multiplied(plan);
  const model::TensorState& made = model::born(plan);
  const auto wanted = model::coordinates(subject.mesh, found.rank);
  const std::vector<std::int64_t> terms = leaves(found.documented);
  std::map<std::vector<std::int64_t>, std::pair<std::ptrdiff_t, std::int64_t>> nearest;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    const auto index = static_cast<std::size_t>(rank);
    if (!holds(made.shards[index], found.coordinate / subject.j, found.coordinate % subject.j)) {
      continue;
    }
    std::vector<std::int64_t> own = operands.a.shards[index].columns;
    std::ranges::sort(own);
    std::erase_if(own, [&](std::int64_t k) { return !std::ranges::binary_search(terms, k); });
    if (own.empty()) continue;
    const auto at = model::coordinates(subject.mesh, rank);
    std::ptrdiff_t agreeing = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) agreeing += at[axis] == wanted[axis];
    const auto [entry, is_new] = nearest.try_emplace(std::move(own), agreeing, rank);
    if (!is_new && agreeing > entry->second.first) entry->second = {agreeing, rank};
  }
  std::vector<OwnTerms> all;
  for (const auto& [own, whose] : nearest) all.push_back({whose.second, own});
  std::ranges::sort(all, {}, &OwnTerms::rank);
  return all;
}

/// The case as a sum of masked terms, at all places of its results at once.
class MaskedProduct {
 public:
  MaskedProduct(ProductCase subject, const model::PlanState& start, Backend& backend, Masks masks,
                std::vector<std::int64_t> terms)
      : subject_(std::move(subject)),
        start_(start),
        backend_(backend),
        masks_(masks),
        terms_(std::move(terms)) {}

  tl::expected<std::vector<std::int64_t>, std::string> operator()(
      std::span<const MaskedTerm> masked_terms) {
    fill(masked_terms);
    ++runs_;
    const RunRecord run = run_once(subject_, start_, backend_, arena_);
    if (run.observation.ending != Ending::finished) {
      return tl::unexpected<std::string>(
          fmt::format("the run didn't finish: {}", run.observation.cause));
    }
    if (places_.empty()) places_ = places_of(run);
    return units_at(places_, run, subject_.dtypes, masks_);
  }

  const std::vector<OrderPlace>& places() const { return places_; }
  std::int64_t runs() const { return runs_; }

 private:
  void fill(std::span<const MaskedTerm> masked_terms) {
    std::vector<MaskedTerm> of_k(static_cast<std::size_t>(subject_.k), MaskedTerm::zero);
    for (std::size_t index = 0; index < terms_.size(); ++index) {
      of_k[static_cast<std::size_t>(terms_[index])] = masked_terms[index];
    }
    subject_.data = {Data::Regime::given, 0, std::vector<std::vector<Bits>>(2)};
    for (std::int64_t entry = 0; entry < subject_.i * subject_.k; ++entry) {
      subject_.data.given[0].push_back(masked(subject_.dtypes, masks_, 2, 0,
                                       of_k[static_cast<std::size_t>(entry % subject_.k)]));
    }
    for (std::int64_t entry = 0; entry < subject_.k * subject_.j; ++entry) {
      subject_.data.given[1].push_back(masked(subject_.dtypes, masks_, 2, 1,
                                       of_k[static_cast<std::size_t>(entry / subject_.j)]));
    }
  }

  ProductCase subject_;
  const model::PlanState& start_;
  Backend& backend_;
  Masks masks_;
  std::vector<std::int64_t> terms_;
  Arena arena_;
  std::vector<OrderPlace> places_;
  std::int64_t runs_ = 0;
};

}  // namespace

std::optional<SummationTree> part_over(const SummationTree& tree,
                                       const std::vector<std::int64_t>& terms) {
  if (leaves(tree) == terms) return tree;
  for (const SummationTree& part : tree.parts) {
    if (auto found = part_over(part, terms)) return found;
  }
  return std::nullopt;
}

std::optional<SummationTree> across_ranks(const SummationTree& tree,
                                          const std::vector<OwnTerms>& own) {
  const std::vector<std::int64_t> below = leaves(tree);
  const auto whose = std::ranges::find(own, below, &OwnTerms::terms);
  if (whose != own.end()) return term(whose->rank);
  std::vector<SummationTree> parts;
  for (const SummationTree& part : tree.parts) {
    auto over_ranks = across_ranks(part, own);
    if (!over_ranks) return std::nullopt;
    parts.push_back(std::move(*over_ranks));
  }
  if (parts.size() < 2) return std::nullopt;
  return sum(std::move(parts));
}

tl::expected<OrderReport, std::string> reveal_order(const ProductCase& asked, Backend& backend) {
  const auto plan = model::resolve(asked);
  if (!plan) return tl::unexpected<std::string>(plan.error());
  const auto masks = masks_for(asked.dtypes, 2);
  if (!masks) return tl::unexpected<std::string>(masks.error());
  OrderReport report;
  report.terms = chosen_terms(model::multiplied(*plan));
  if (report.terms.empty()) return tl::unexpected<std::string>("there is no k to add over");
  report.are_all_terms = std::ssize(report.terms) == asked.k;

  ProductCase subject = asked;
  subject.plan = plan->steps;
  MaskedProduct product(subject, plan->states.front(), backend, *masks, report.terms);
  const auto sizes = seen_meeting_sizes(std::ssize(report.terms), masks->units_max,
                                        [&](auto terms) { return product(terms); });
  if (!sizes) return tl::unexpected<std::string>(sizes.error());
  report.runs = product.runs();
  hold_against(
      product.places(), *sizes,
      [&](const OrderPlace& place) {
        return documented_tree(subject, *plan, place.rank, place.coordinate);
      },
      report);
  if (report.found.empty()) return tl::unexpected<std::string>("nobody returns a sum");
  for (OrderFound& found : report.found) found.own = own_terms(subject, *plan, found);
  return report;
}

}  // namespace shardcheck
