#include "order.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/expect.h>
#include <shardcheck/properties/judge/arena.h>
#include <shardcheck/properties/judge/run_record.h>

#include "masks.h"
#include "places.h"
#include "reveal.h"
#include "terms.h"

namespace shardcheck {
namespace {

/// The case as a sum of masked terms, at all places of its results at once.
class MaskedCase {
 public:
  MaskedCase(const SummedTerms& sum, const Masks& masks, Backend& backend)
      : sum_(sum), masks_(masks), backend_(backend), subject_(sum.subject) {}

  tl::expected<std::vector<std::int64_t>, std::string> operator()(
      std::span<const MaskedTerm> masked_terms) {
    sum_.fill(masks_, masked_terms, subject_);
    const auto expectation = model::expect(subject_);
    if (!expectation) return tl::unexpected<std::string>(expectation.error());
    ++runs_;
    const RunRecord run = run_once(subject_, **expectation, backend_, arena_);
    if (run.observation.ending != Ending::finished) {
      return tl::unexpected<std::string>(
          fmt::format("the run didn't finish: {}", run.observation.cause));
    }
    if (places_.empty()) places_ = places_of(run);
    return units_at(places_, run, setting(subject_).dtypes, masks_);
  }

  const std::vector<OrderPlace>& places() const { return places_; }
  std::int64_t runs() const { return runs_; }

 private:
  const SummedTerms& sum_;
  const Masks& masks_;
  Backend& backend_;
  Case subject_;
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

tl::expected<OrderReport, std::string> reveal_order(const Case& asked, Backend& backend) {
  const auto sum = std::visit([](const auto& one) { return summed_terms(one); }, asked);
  if (!sum) return tl::unexpected<std::string>(sum.error());
  const auto masks = masks_for(setting(asked).dtypes, sum->factors);
  if (!masks) return tl::unexpected<std::string>(masks.error());
  OrderReport report;
  report.terms = sum->terms;
  report.are_all_terms = sum->are_all;
  MaskedCase masked_case(*sum, *masks, backend);
  const auto sizes = seen_meeting_sizes(std::ssize(report.terms), masks->units_max,
                                        [&](auto terms) { return masked_case(terms); });
  if (!sizes) return tl::unexpected<std::string>(sizes.error());
  report.runs = masked_case.runs();
  hold_against(masked_case.places(), *sizes, sum->documented, report);
  if (report.found.empty()) return tl::unexpected<std::string>("nobody returns a sum");
  if (sum->own) {
    for (OrderFound& found : report.found) found.own = sum->own(found);
  }
  return report;
}

}  // namespace shardcheck
