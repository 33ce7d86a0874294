#include "product_run.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/limits.h>

#include <shardcheck/impl/runtime/world.h>

#include <shardcheck/impl/kernels/isa.h>
#include <shardcheck/impl/plan/planner.h>
#include "matmul.h"

namespace shardcheck::impl {
namespace {

Observation unsupported(std::string cause) {
  Observation seen;
  seen.ending = Ending::unsupported;
  seen.cause = std::move(cause);
  return seen;
}

/// Why the case can't be run at all, whatever its plan.
std::optional<std::string> objection(const ProductCase& subject, const Request& request) {
  if (std::optional<std::string> why = isa_objection()) return why;
  if (!is_legal(subject.dtypes)) return "the dtypes don't go together";
  if (std::max({subject.i, subject.j, subject.k}) > limits::elements_per_tensor) {
    return "an axis is longer than a tensor may be";
  }
  if (static_cast<std::int64_t>(subject.mesh.axes.size()) > limits::mesh_axes) {
    return "the mesh has too many axes";
  }
  if (static_cast<std::int64_t>(request.ranks.size()) != rank_count(subject.mesh)) {
    return "the memory is not that of the mesh's ranks";
  }
  return std::nullopt;
}

/// By rank: the coordinates of the elements that it writes, in order.
std::vector<std::vector<std::int64_t>> owned_coordinates(const Situation& situation) {
  const ListsPool& pool = situation.pool;
  std::vector<std::vector<std::int64_t>> owned(static_cast<std::size_t>(pool.grid().rank_count));
  for (std::size_t rank = 0; rank < owned.size(); ++rank) {
    const auto rows = pool.held(situation.consumer.rows, static_cast<std::int64_t>(rank));
    const auto columns = pool.held(situation.consumer.columns, static_cast<std::int64_t>(rank));
    owned[rank].resize(rows.size() * columns.size());
    std::int64_t* next = owned[rank].data();
    for (const std::int32_t row : rows) {
      const std::int64_t first = row * situation.subject.j;
      for (const std::int32_t column : columns) *next++ = first + column;
    }
  }
  return owned;
}

}  // namespace

Observation run_product(const ProductCase& subject, const Request& request,
                        const EndpointWrapper& wrap, std::span<Workspace> workspaces) {
  if (std::optional<std::string> why = objection(subject, request)) {
    return unsupported(std::move(*why));
  }
  Situation situation(subject);
  tl::expected<ResolvedPlan, std::string> plan = resolve(situation);
  if (!plan) return unsupported(std::move(plan.error()));
  const std::size_t ranks = request.ranks.size();
  LocalProduct none;
  none.rank = -1;
  std::vector<LocalProduct> products(ranks, none);
  const Matmul matmul{situation, *plan, request.trace};
  Observation seen = observed(run_world(
      static_cast<std::int64_t>(ranks), subject.run, request.trace,
      [&](Endpoint& endpoint) {
        const auto rank = static_cast<std::size_t>(endpoint.rank());
        run_rank(matmul, endpoint, request.ranks[rank], workspaces[rank], products[rank]);
      },
      wrap));
  if (seen.ending == Ending::unsupported) return seen;
  seen.owned = owned_coordinates(situation);
  seen.steps = std::move(plan->steps);
  // A run that ended early holds ranks that never multiplied.
  std::erase_if(products, [](const LocalProduct& product) { return product.rank < 0; });
  seen.products = std::move(products);
  return seen;
}

}  // namespace shardcheck::impl
