#include "other_way.h"

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan/rules.h>

namespace shardcheck {

ProductCase with_other_algorithms(const ProductCase& subject) {
  ProductCase other = subject;
  for (Algorithm& algorithm : other.algorithms) {
    algorithm = algorithm == Algorithm::ring ? Algorithm::direct : Algorithm::ring;
  }
  return other;
}

std::optional<ProductCase> with_another_plan(const ProductCase& subject,
                                             std::span<const std::string_view> plans) {
  const auto resolved = model::resolve(subject);
  if (!resolved) return std::nullopt;
  for (const std::string_view text : plans) {
    ProductCase other = subject;
    const auto plan = parse_plan(other.mesh, text);
    if (!plan || *plan == resolved->steps) continue;
    other.plan = *plan;
    if (model::resolve(other)) return other;
  }
  return std::nullopt;
}

}  // namespace shardcheck
