#include "tokens.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/rules.h>

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

}  // namespace shardcheck
