#include "tokens.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan_rules.h>

namespace shardcheck {

std::optional<ProductCase> in_tokens(const ProductCase& subject, const Plan& steps) {
  ProductCase tokens = subject;
  tokens.dtypes = token_dtypes;
  // Of integers, the regime draws any value.
  tokens.data = {Data::Regime::rounding, subject.data.seed, {}};
  // Recorded choices belong to the run that they were recorded from.
  if (tokens.run.kind == Run::Kind::trace) tokens.run = {};
  if (!tokens.plan) {
    const auto resolved = model::resolve(tokens);
    if (!resolved || resolved->steps != steps) tokens.plan = steps;
  }
  // A case of narrower elements may be as large as one may be.
  if (!parse_product(print(tokens))) return std::nullopt;
  return tokens;
}

void judge_tokens(const ProductCase& tokens, const Verdict& alone, Judgements& judgements) {
  for (Finding finding : alone.findings) {
    finding.evidence += fmt::format("{}seen when the case was run in i64 with random tokens: {}",
                                    finding.evidence.empty() ? "" : "; ", print(tokens));
    add(of(judgements, finding.invariant), std::move(finding));
  }
  if (!alone.findings.empty()) {
    const Invariant first = alone.findings.front().invariant;
    of(judgements, first).finding_count += alone.finding_count - std::ssize(alone.findings);
  }
  if (alone.status == Status::pass) observe(of(judgements, Invariant::coverage));
}

}  // namespace shardcheck
