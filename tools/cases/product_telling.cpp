#include <fmt/format.h>

#include <shardcheck/model/plan/rules.h>

#include "telling.h"

namespace shardcheck::tools {
namespace {

std::string reducer(const Case& subject, const Plan& taken) {
  const auto& product = std::get<ProductCase>(subject);
  // A process that died couldn't tell which plan it took; the case may.
  const bool is_told = !taken.empty() || !product.plan;
  for (const Step& step : is_told ? taken : *product.plan) {
    if (is_woven(step.kind)) return std::string(name(step.kind));
    if (!info(step.kind).is_sum) continue;
    const Collective collective =
        step.kind == Step::Kind::all_reduce ? Collective::all_reduce : Collective::reduce_scatter;
    return fmt::format("{} {}", name(step.kind), name(algorithm_of(product, collective)));
  }
  return {};
}

std::optional<Case> spelled(const Case& subject, const Plan& taken) {
  ProductCase product = std::get<ProductCase>(subject);
  if (product.plan) return std::nullopt;
  if (!taken.empty()) {
    product.plan = taken;
    return product;
  }
  auto resolved = model::resolve(product);
  if (!resolved) return std::nullopt;
  product.plan = std::move(resolved->steps);
  return product;
}

}  // namespace

const Telling product_telling{.kind = Kind::product, .reducer = reducer, .spelled = spelled};

}  // namespace shardcheck::tools
