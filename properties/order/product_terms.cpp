#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include <shardcheck/model/expectation/ownership.h>
#include <shardcheck/model/plan/rules.h>

#include "documented.h"
#include "terms.h"

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

void fill(const Masks& masks, const std::vector<std::int64_t>& terms,
          std::span<const MaskedTerm> masked_terms, ProductCase& subject) {
  std::vector<MaskedTerm> of_k(static_cast<std::size_t>(subject.k), MaskedTerm::zero);
  for (std::size_t index = 0; index < terms.size(); ++index) {
    of_k[static_cast<std::size_t>(terms[index])] = masked_terms[index];
  }
  subject.data = {Data::Regime::given, 0, std::vector<std::vector<Bits>>(2)};
  for (std::int64_t entry = 0; entry < subject.i * subject.k; ++entry) {
    subject.data.given[0].push_back(
        masked(subject.dtypes, masks, 2, 0, of_k[static_cast<std::size_t>(entry % subject.k)]));
  }
  for (std::int64_t entry = 0; entry < subject.k * subject.j; ++entry) {
    subject.data.given[1].push_back(
        masked(subject.dtypes, masks, 2, 1, of_k[static_cast<std::size_t>(entry / subject.j)]));
  }
}

}  // namespace

tl::expected<SummedTerms, std::string> summed_terms(const ProductCase& asked) {
  // The plan and the case outlive this call in the functions below.
  const auto planned = std::make_shared<ProductCase>(asked);
  auto resolved = model::resolve(asked);
  if (!resolved) return tl::unexpected<std::string>(resolved.error());
  const auto plan = std::make_shared<const model::ResolvedPlan>(*std::move(resolved));
  planned->plan = plan->steps;
  SummedTerms sum;
  sum.terms = chosen_terms(model::multiplied(*plan));
  if (sum.terms.empty()) return tl::unexpected<std::string>("there is no k to add over");
  sum.are_all = std::ssize(sum.terms) == asked.k;
  sum.factors = 2;
  sum.subject = *planned;
  sum.fill = [terms = sum.terms](const Masks& masks, std::span<const MaskedTerm> masked_terms,
                                 Case& subject) {
    fill(masks, terms, masked_terms, std::get<ProductCase>(subject));
  };
  sum.documented = [planned, plan](const OrderPlace& place) {
    return documented_tree(*planned, *plan, place.rank, place.coordinate);
  };
  sum.own = [planned, plan](const OrderFound& found) { return own_terms(*planned, *plan, found); };
  return sum;
}

}  // namespace shardcheck
