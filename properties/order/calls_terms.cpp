#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/expectation/ownership.h>

#include "documented.h"
#include "terms.h"

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
void fill(const Masks& masks, std::span<const MaskedTerm> terms, Case& filled) {
  auto& subject = std::get<CallsCase>(filled);
  subject.data = {Data::Regime::given, 0, {}};
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    const auto member = static_cast<std::size_t>(member_of(subject, rank));
    subject.data.given.emplace_back(static_cast<std::size_t>(input_elements(subject, rank)),
                                    masked(subject.dtypes, masks, 1, 0, terms[member]));
  }
}

}  // namespace

tl::expected<SummedTerms, std::string> summed_terms(const CallsCase& asked) {
  if (const auto why = objection(asked); !why.empty()) {
    return tl::unexpected<std::string>(std::string(why));
  }
  SummedTerms sum;
  sum.terms.resize(static_cast<std::size_t>(member_count(asked)));
  std::iota(sum.terms.begin(), sum.terms.end(), std::int64_t{0});
  if (std::ssize(sum.terms) > order_terms_max) {
    return tl::unexpected<std::string>(
        fmt::format("an order is shown for {} members at most", order_terms_max));
  }
  sum.subject = asked;
  sum.fill = fill;
  sum.documented = [asked](const OrderPlace& place) {
    const Call& call = asked.calls.front();
    return documented_tree(call.collective, call.algorithm, member_count(asked),
                           block_of(asked, place.coordinate), asked.root);
  };
  return sum;
}

}  // namespace shardcheck
