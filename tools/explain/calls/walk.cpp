#include "lesson.h"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/inputs/calls_inputs.h>

#include <shardcheck/tools/explain/message_text.h>

namespace shardcheck::tools {
namespace {

/// True if every element of a result is made of the inputs at one position, one a member.
bool combines_inputs(const model::CallsExpectation& expectation) {
  const std::vector<Call>& calls = expectation.subject.calls;
  const auto is_reduction = [](const Call& call) { return reduces(call.collective); };
  if (std::count_if(calls.begin(), calls.end(), is_reduction) != 1) return false;
  if (!is_reduction(calls.front())) return false;
  for (std::int64_t rank = 0; rank < rank_count(expectation.subject.mesh); ++rank) {
    for (const std::int64_t coordinate : expectation.owned_list(rank)) {
      if (expectation.meaning.origin(coordinate).source >= 0) return false;
    }
  }
  return true;
}

/// "[1 2] (rank 0) + [3 4] (rank 1)", of the inputs at the positions of what the rank ends with.
std::string terms_text(const model::CallsExpectation& expectation, std::int64_t rank,
                       const Detail& detail) {
  const CallsCase& subject = expectation.subject;
  const model::Meaning& meaning = expectation.meaning;
  const CollectiveInputs inputs(subject);
  const bool is_sum = subject.op == Operator::sum;
  std::string text = is_sum ? "" : fmt::format("{} of ", name(subject.op));
  std::int64_t shown = 0;
  for (const std::int64_t other :
       meaning.groups()[static_cast<std::size_t>(meaning.group_of(rank))]) {
    if (shown++ >= detail.ranks) continue;
    std::vector<Bits> values;
    for (const std::int64_t coordinate : expectation.owned_list(rank)) {
      // What is to be combined is whole on every member: a position is a place in its input.
      const std::int64_t position = meaning.origin(coordinate).position;
      values.push_back(inputs.at(other, position, position));
    }
    if (shown > 1) text += is_sum ? " + " : ", ";
    text += fmt::format("{} (rank {})", list_text(values, subject.dtypes.in, detail), other);
  }
  if (shown > detail.ranks) text += fmt::format(" … {} more", shown - detail.ranks);
  return text;
}

}  // namespace

std::string rank_text(const model::CallsExpectation& expectation, std::int64_t rank) {
  const model::Meaning& meaning = expectation.meaning;
  if (meaning.groups().size() == 1) return fmt::format("  rank {}", rank);
  return fmt::format("  rank {} (member {} of group {})", rank, meaning.member_of(rank),
                     meaning.group_of(rank));
}

std::string calls_text(const model::CallsExpectation& expectation, const RunRecord& record,
                       const Detail& detail) {
  const std::vector<Call>& calls = expectation.subject.calls;
  std::string text;
  for (std::size_t number = 0; number < calls.size(); ++number) {
    const std::string messages = messages_text(record.observation, number, detail);
    text += fmt::format("\nCall {}: {} by {}\n{}", number, name(calls[number].collective),
                        name(calls[number].algorithm),
                        messages.empty() ? "  nothing is sent\n" : messages);
  }
  return text;
}

std::string ends_text(const model::CallsExpectation& expectation, const RunRecord& record,
                      const Detail& detail) {
  const Observation& observation = record.observation;
  if (observation.ending != Ending::finished) return "  the run didn't finish\n";
  const bool shows_terms = combines_inputs(expectation);
  const std::string text =
      by_rank(rank_count(expectation.subject.mesh), detail, [&](std::int64_t rank) {
        const auto at = static_cast<std::size_t>(rank);
        if (at >= observation.owned.size() || at >= record.bits.size()) {
          return rank_text(expectation, rank) + ": the backend tells nothing\n";
        }
        const model::IndexList& due = expectation.owned_list(rank);
        const bool has_terms = shows_terms && !due.empty() && observation.owned[at] == due;
        return fmt::format("{}: coordinates {}: {}{}\n", rank_text(expectation, rank),
                           index_text(observation.owned[at], detail),
                           has_terms ? terms_text(expectation, rank, detail) + " = " : "",
                           list_text(record.bits[at], expectation.subject.dtypes.out, detail));
      });
  return shows_terms ? text + "  (combined in the order of the algorithm: docs/collectives.md)\n"
                     : text;
}

}  // namespace shardcheck::tools
