#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/collective_rules.h>
#include <shardcheck/model/collective/calls_expectation.h>
#include <shardcheck/model/ownership.h>
#include <shardcheck/properties/judge/arena.h>
#include <shardcheck/properties/judge/run_record.h>

#include "documented.h"
#include "masks.h"
#include "order.h"
#include "places.h"
#include "reveal.h"

namespace shardcheck {
namespace {

/// Why the case is no sum of members' terms; empty if it is.
std::string_view objection(const CallsCase& subject) {
  const auto reducing = std::ranges::count_if(
      subject.calls, [](const Call& call) { return reduces(call.collective); });
  if (reducing != 1 || !reduces(subject.calls.front().collective)) {
    return "an order is shown where the first call alone reduces";
  }
  return subject.op == Operator::sum ? "" : "an order is shown for op=sum alone";
}

/// The vector's element `coordinate` belongs to this block of the reduction.
std::int64_t block_of(const CallsCase& subject, std::int64_t coordinate) {
  const Call& call = subject.calls.front();
  const std::int64_t members = member_count(subject);
  const bool is_divided = call.collective == Collective::reduce_scatter;
  const std::int64_t count =
      is_divided ? members : block_count(call.collective, call.algorithm, members);
  const auto blocks = model::parts(is_divided ? subject.split : Split{}, subject.n, {count});
  const auto block = std::ranges::find_if(blocks, [&](const model::IndexList& indices) {
    return std::ranges::find(indices, coordinate) != indices.end();
  });
  return block - blocks.begin();
}

/// Every rank's input is its member's masked term throughout.
void fill(const DtypeCombination& d, const Masks& masks, std::span<const MaskedTerm> terms,
          CallsCase& subject) {
  subject.data.regime = Data::Regime::given;
  subject.data.given.clear();
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    const auto member = static_cast<std::size_t>(member_of(subject, rank));
    subject.data.given.emplace_back(static_cast<std::size_t>(input_elements(subject, rank)),
                               masked(d, masks, 1, 0, terms[member]));
  }
}

}  // namespace

tl::expected<OrderReport, std::string> reveal_order(const CallsCase& asked,
                                                    Backend& backend) {
  if (const auto why = objection(asked); !why.empty()) {
    return tl::unexpected<std::string>(std::string(why));
  }
  const auto masks = masks_for(asked.dtypes, 1);
  if (!masks) return tl::unexpected<std::string>(masks.error());
  OrderReport report;
  report.terms.resize(static_cast<std::size_t>(member_count(asked)));
  std::iota(report.terms.begin(), report.terms.end(), std::int64_t{0});
  if (std::ssize(report.terms) > order_terms_max) {
    return tl::unexpected<std::string>(
        fmt::format("an order is shown for {} members at most", order_terms_max));
  }
  CallsCase subject = asked;
  CollectiveArena arena;
  std::vector<OrderPlace> places;
  const MaskedSum sum = [&](std::span<const MaskedTerm> terms)
      -> tl::expected<std::vector<std::int64_t>, std::string> {
    fill(asked.dtypes, *masks, terms, subject);
    const auto expectation = model::expect(subject);
    if (!expectation) return tl::unexpected<std::string>(expectation.error());
    ++report.runs;
    const RunRecord run = run_once(subject, **expectation, backend, arena);
    if (run.observation.ending != Ending::finished) {
      return tl::unexpected<std::string>(
          fmt::format("the run didn't finish: {}", run.observation.cause));
    }
    if (places.empty()) places = places_of(run);
    return units_at(places, run, asked.dtypes, *masks);
  };
  const auto sizes = seen_meeting_sizes(std::ssize(report.terms), masks->units_max, sum);
  if (!sizes) return tl::unexpected<std::string>(sizes.error());
  const Call& call = asked.calls.front();
  hold_against(
      places, *sizes,
      [&](const OrderPlace& place) {
        return documented_tree(call.collective, call.algorithm, member_count(asked),
                               block_of(asked, place.coordinate), asked.root);
      },
      report);
  if (report.found.empty()) return tl::unexpected<std::string>("nobody returns a sum");
  return report;
}

}  // namespace shardcheck
