#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/allowed.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/number_bits.h>
#include <shardcheck/properties/judge/run_invariants.h>

#include "evidence.h"

namespace shardcheck {

namespace {

constexpr std::size_t suspects_named = 3;
constexpr std::size_t elements_tried = 64;

/// What stood in the output after each call but the last, for the question whether a value is
/// stale.
class EarlierCalls {
 public:
  explicit EarlierCalls(const CallsCase& subject) {
    // Expectations refer to their cases.
    cases_.reserve(subject.calls.size());
    for (std::size_t count = 1; count < subject.calls.size(); ++count) {
      cases_.push_back(subject);
      CallsCase& earlier = cases_.back();
      earlier.calls.resize(count);
      auto expectation = model::expect(earlier);
      after_.push_back(expectation ? std::move(*expectation) : nullptr);
    }
  }

  /// The last call that left this value at this place; −1: none did.
  std::int64_t that_left(const Mismatch& mismatch, Dtype out) const {
    for (std::size_t call = after_.size(); call-- > 0;) {
      if (after_[call] == nullptr) continue;
      const model::IndexList& owned = after_[call]->owned(mismatch.rank);
      const auto position = static_cast<std::size_t>(mismatch.position);
      if (position >= owned.size()) continue;
      const model::Allowed left = after_[call]->values.allowed(mismatch.rank, owned[position]);
      if (model::allows(left, out, mismatch.got)) return static_cast<std::int64_t>(call);
    }
    return -1;
  }

 private:
  std::vector<CallsCase> cases_;
  std::vector<std::unique_ptr<model::CollectiveExpectation>> after_;
};

bool concerns_a_member(const model::CollectiveAlteration& alteration) {
  using Kind = model::CollectiveAlteration::Kind;
  return alteration.kind == Kind::drop_rank || alteration.kind == Kind::double_rank ||
         alteration.kind == Kind::rank_alone;
}

/// Whether the alteration gives everything that came out wrong on the mismatch's rank, and not this
/// element alone.
bool explains_the_rank(const CollectiveEvidence& evidence, const Elements& elements,
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
std::string suspects_of(const CollectiveEvidence& evidence, const Elements& elements,
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

/// Every value of the dtype.
model::Allowed anything(Dtype out) {
  const FloatBits& f = float_bits(out);
  const Bits greatest = f.has_infinity ? infinity_bits(f) : nan_bits(f) - 1;
  model::Allowed all;
  all.grade = model::Grade::envelope;
  all.nan = true;
  all.low = greatest | sign_bit(f);
  all.high = greatest;
  return all;
}

}  // namespace

Elements judge_elements(const CollectiveEvidence& evidence, const std::vector<bool>& owns_rightly) {
  const Dtype out = evidence.subject.dtypes.out;
  const Due due{[&](std::int64_t rank, std::int64_t coordinate) {
                  model::Allowed allowed = evidence.expectation.values.allowed(rank, coordinate);
                  const bool is_declared = allowed.grade == model::Grade::declared;
                  // Of calls in a row whose order isn't promised, no bound is known.
                  if (is_declared && !evidence.promises.declared_order) return anything(out);
                  return allowed;
                },
                [&](std::int64_t rank, std::int64_t coordinate) {
                  return evidence.expectation.values.is_rounded(rank, coordinate);
                }};
  return judge_elements(evidence.run, out, owns_rightly, due);
}

Judgement judge_value(const CollectiveEvidence& evidence, const Elements& elements) {
  Judgement judgement;
  if (elements.judged == 0) return judgement;
  observe(judgement);
  if (elements.wrong == 0) return judgement;
  judgement.outcome = Outcome::broken;
  const Dtype out = evidence.subject.dtypes.out;
  const EarlierCalls earlier(evidence.subject);
  constexpr auto listed_max = static_cast<std::size_t>(limits::mismatches_printed);
  for (const Mismatch& mismatch : elements.mismatches) {
    // Memory has named it.
    if (mismatch.is_untouched) continue;
    // One step may be a wrong rounding as well as a contribution too small to matter.
    const bool is_telling = !info(out).is_float || std::abs(mismatch.distance) != 1;
    const bool is_listed = judgement.findings.size() < listed_max;
    const std::string why =
        is_telling && is_listed ? suspects_of(evidence, elements, earlier, mismatch) : "";
    add(judgement, wrong_value(mismatch, out, why));
  }
  return judgement;
}

}  // namespace shardcheck
