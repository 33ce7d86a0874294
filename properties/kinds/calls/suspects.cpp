#include "suspects.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/expectation/allowed.h>

namespace shardcheck {

namespace {

constexpr std::size_t suspects_named = 3;
constexpr std::size_t elements_tried = 64;

/// What stood in the output after each call but the last, for the question whether a value is
/// stale.
class EarlierCalls {
 public:
  explicit EarlierCalls(const CallsCase& subject) {
    for (std::size_t count = 1; count < subject.calls.size(); ++count) {
      CallsCase earlier = subject;
      earlier.calls.resize(count);
      auto expectation = model::expect_calls(earlier);
      after_.push_back(expectation ? std::move(*expectation) : nullptr);
    }
  }

  /// The last call that left this value at this place; −1: none did.
  std::int64_t that_left(const Mismatch& mismatch, Dtype out) const {
    for (std::size_t call = after_.size(); call-- > 0;) {
      if (after_[call] == nullptr) continue;
      const model::IndexList& owned = after_[call]->owned_list(mismatch.rank);
      const auto position = static_cast<std::size_t>(mismatch.position);
      if (position >= owned.size()) continue;
      const model::Allowed left = after_[call]->values.allowed(mismatch.rank, owned[position]);
      if (model::allows(left, out, mismatch.got)) return static_cast<std::int64_t>(call);
    }
    return -1;
  }

 private:
  std::vector<std::unique_ptr<model::CallsExpectation>> after_;
};

bool concerns_a_member(const model::CollectiveAlteration& alteration) {
  using Kind = model::CollectiveAlteration::Kind;
  return alteration.kind == Kind::drop_rank || alteration.kind == Kind::double_rank ||
         alteration.kind == Kind::rank_alone;
}

/// Whether the alteration gives everything that came out wrong on the mismatch's rank, and not this
/// element alone.
bool explains_the_rank(const CallsEvidence& evidence, const Elements& elements,
                       const Mismatch& mismatch, const model::CollectiveAlteration& alteration) {
  if (!concerns_a_member(alteration)) return false;
  std::size_t tried = 0;
  for (const Mismatch& other : elements.mismatches) {
    if (other.rank != mismatch.rank || other.is_untouched) continue;
    const model::Allowed altered =
        evidence.expectation.values.altered(other.rank, other.coordinate, alteration);
    if (!model::allows(altered, evidence.subject.dtypes.out, other.got)) return false;
    if (++tried == elements_tried) break;
  }
  return true;
}

std::string words(const model::CollectiveAlteration& alteration, std::int64_t rank) {
  using Kind = model::CollectiveAlteration::Kind;
  const bool is_own = alteration.kind == Kind::rank_alone && alteration.index == rank;
  return is_own ? "its own value, kept" : model::describe(alteration);
}

/// "rank 1 is missing in call 0, or the value of coordinate 4".
std::string suspects_of(const CallsEvidence& evidence, const Elements& elements,
                        const EarlierCalls& earlier, const Mismatch& mismatch) {
  std::vector<std::string> named;
  const std::int64_t left = earlier.that_left(mismatch, evidence.subject.dtypes.out);
  if (left >= 0) named.push_back(fmt::format("what call {} left there, stale", left));
  const std::vector<model::CollectiveAlteration> suspects =
      evidence.expectation.values.suspects(mismatch.rank, mismatch.coordinate, mismatch.got);
  // First those that explain the rank's other values too.
  for (const bool explains : {true, false}) {
    for (const model::CollectiveAlteration& suspect : suspects) {
      if (named.size() == suspects_named) break;
      if (explains_the_rank(evidence, elements, mismatch, suspect) != explains) continue;
      named.push_back(words(suspect, mismatch.rank));
    }
  }
  return fmt::format("{}", fmt::join(named, ", or "));
}

}  // namespace

std::vector<std::string> suspects_by_mismatch(const CallsEvidence& evidence,
                                              const Elements& elements,
                                              const std::vector<Swap>& swaps) {
  std::vector<std::string> why(elements.mismatches.size());
  const Dtype out = evidence.subject.dtypes.out;
  const EarlierCalls earlier(evidence.subject);
  auto listed_left = limits::mismatches_printed;
  for (std::size_t index = 0; index < why.size() && listed_left > 0; ++index) {
    const Mismatch& mismatch = elements.mismatches[index];
    if (mismatch.is_untouched || swap_of(swaps, mismatch.rank) != nullptr) continue;
    --listed_left;
    // One step may be a wrong rounding as well as a contribution too small to matter.
    const bool is_telling = !info(out).is_float || std::abs(mismatch.distance) != 1;
    if (is_telling) why[index] = suspects_of(evidence, elements, earlier, mismatch);
  }
  return why;
}

}  // namespace shardcheck
