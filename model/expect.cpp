#include "expect.h"

#include <utility>

namespace shardcheck::model {

Expectation::Expectation(const Case& subject, ResolvedPlan resolved, LocalOrder local_order)
    : plan(std::move(resolved)),
      owned(shards(subject, Tensor::c)),
      sent(ledger(subject, plan)),
      temporary_bytes_max(model::temporary_bytes_max(subject, plan, sent)),
      values(subject, plan, local_order) {
  vacuity = model::vacuity(subject, plan, values);
}

tl::expected<std::unique_ptr<Expectation>, std::string> expect(const Case& subject,
                                                               LocalOrder local_order) {
  auto resolved = resolve(subject);
  if (!resolved) return tl::unexpected<std::string>(resolved.error());
  return std::make_unique<Expectation>(subject, *std::move(resolved), local_order);
}

}  // namespace shardcheck::model
