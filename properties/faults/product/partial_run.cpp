#include "partial_run.h"

#include <algorithm>
#include <utility>

#include <shardcheck/model/plan/rules.h>

namespace shardcheck {

std::optional<ProductCase> without_reductions(const ProductCase& subject) {
  ProductCase partial = subject;
  partial.plan = Plan{Step{}};
  partial.c.rows = subject.a.rows;
  partial.c.columns = subject.b.columns;
  partial.c.partial_over = subject.a.columns.over;
  std::ranges::sort(partial.c.partial_over);
  const bool reduces = partial.c.partial_over != subject.c.partial_over;
  if (!reduces || !model::resolve(partial)) return std::nullopt;
  return partial;
}

}  // namespace shardcheck
