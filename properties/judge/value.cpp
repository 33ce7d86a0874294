#include <cmath>
#include <string>

#include <fmt/format.h>

#include <shardcheck/model/exact/format.h>

#include "invariants.h"
#include "number_text.h"

namespace shardcheck {

namespace {

std::string kind_of(const Mismatch& mismatch, Dtype out) {
  if (mismatch.allowed.only_nan) return "nan_missing";
  if (model::is_nan(out, mismatch.got)) return "nan";
  if (!info(out).is_float) return "wrong";
  return std::abs(mismatch.distance) == 1 ? "one_ulp" : "wrong";
}

std::string_view grade_words(model::Grade grade) {
  switch (grade) {
    case model::Grade::exact: return "exact in every order";
    case model::Grade::declared: return "in the declared order";
    case model::Grade::any_order: return "in any order";
    case model::Grade::envelope: return "proven bound";
  }
  return "";
}

std::string distance_words(const Mismatch& mismatch, Dtype out) {
  if (mismatch.distance == 0) return "";
  const std::int64_t steps = std::abs(mismatch.distance);
  const std::string_view unit = info(out).is_float ? "ulp" : "";
  return fmt::format("{}{}{}{} {}", steps, unit.empty() ? "" : " ", unit,
                     steps == 1 || unit.empty() ? "" : "s",
                     mismatch.distance > 0 ? "too high" : "too low");
}

std::string allowed_words(const model::Allowed& allowed, Dtype out) {
  const bool is_one = !allowed.only_nan && !allowed.nan && allowed.low == allowed.high;
  return is_one ? with_hex(out, allowed.low) : model::describe(allowed, out);
}

Finding wrong_value(const Mismatch& mismatch, Dtype out, std::string_view why) {
  std::string evidence(grade_words(mismatch.allowed.grade));
  if (const std::string apart = distance_words(mismatch, out); !apart.empty()) {
    evidence = apart + ", " + evidence;
  }
  if (!why.empty()) evidence += fmt::format("; {}", why);
  return {.invariant = Invariant::value,
          .kind = kind_of(mismatch, out),
          .rank = mismatch.rank,
          .coordinate = mismatch.coordinate,
          .allowed = allowed_words(mismatch.allowed, out),
          .got = with_hex(out, mismatch.got),
          .evidence = std::move(evidence)};
}

}  // namespace

Judgement judge_value(const Evidence& evidence, const Elements& elements,
                      const std::vector<Swap>& swaps, const std::vector<std::string>& why) {
  Judgement judgement;
  if (elements.judged == 0) return judgement;
  observe(judgement);
  if (elements.wrong > 0) judgement.outcome = Outcome::broken;
  for (std::size_t index = 0; index < elements.mismatches.size(); ++index) {
    const Mismatch& mismatch = elements.mismatches[index];
    // Ownership and memory have named these.
    if (mismatch.is_untouched || swap_of(swaps, mismatch.rank) != nullptr) continue;
    add(judgement, wrong_value(mismatch, evidence.out(), index < why.size() ? why[index] : ""));
  }
  return judgement;
}

}  // namespace shardcheck
