#include "calls_run.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/limits.h>

#include <shardcheck/impl/runtime/world.h>

#include <shardcheck/impl/numbers/operators.h>
#include "rank_calls.h"

namespace shardcheck::impl {
namespace {

using Objection = std::optional<std::string>;

bool is_any_of(Algorithm algorithm, std::initializer_list<Algorithm> of) {
  return std::find(of.begin(), of.end(), algorithm) != of.end();
}

/// True if the algorithm combines the members' partials in the order of the members.
bool keeps_order(const Call& call, std::int64_t root) {
  switch (call.collective) {
    case Collective::all_reduce:
      return is_any_of(call.algorithm,
                       {Algorithm::direct, Algorithm::doubling, Algorithm::binomial});
    case Collective::reduce_scatter: return call.algorithm == Algorithm::direct;
    case Collective::reduce:
      return call.algorithm == Algorithm::direct ||
             (root == 0 && is_any_of(call.algorithm, {Algorithm::binomial, Algorithm::chain}));
    case Collective::all_gather:
    case Collective::broadcast:
    case Collective::gather:
    case Collective::scatter:
    case Collective::all_to_all:
    case Collective::permute: return true;
  }
  return true;
}

bool has_equal_blocks(const CollectiveSetup& setup) {
  const auto& counts = setup.subject.counts;
  if (counts.empty()) {
    return std::adjacent_find(setup.blocks.starts.begin(), setup.blocks.starts.end(),
                              [&](std::int32_t one, std::int32_t next) {
                                return next - one != setup.blocks.starts[1];
                              }) == setup.blocks.starts.end();
  }
  return std::all_of(counts.begin(), counts.end(), [&](const auto& row) {
    return std::all_of(row.begin(), row.end(),
                       [&](std::int64_t count) { return count == counts[0][0]; });
  });
}

bool is_in_table(const CollectiveTable& table, const Call& call) {
  const Algorithm algorithm = call.algorithm;
  switch (call.collective) {
    case Collective::all_reduce: return find_entry(table.all_reduce, algorithm) != nullptr;
    case Collective::reduce_scatter: return find_entry(table.reduce_scatter, algorithm) != nullptr;
    case Collective::all_gather: return find_entry(table.all_gather, algorithm) != nullptr;
    case Collective::reduce: return find_entry(table.reduce, algorithm) != nullptr;
    case Collective::broadcast: return find_entry(table.broadcast, algorithm) != nullptr;
    case Collective::gather: return find_entry(table.gather, algorithm) != nullptr;
    case Collective::scatter: return find_entry(table.scatter, algorithm) != nullptr;
    case Collective::all_to_all: return find_entry(table.all_to_all, algorithm) != nullptr;
    case Collective::permute: return find_entry(table.permute, algorithm) != nullptr;
  }
  return false;
}

/// Why a call can't be carried out so.
Objection objection(const CollectiveSetup& setup, const CollectiveTable& table, const Call& call) {
  const CallsCase& subject = setup.subject;
  if (!is_in_table(table, call)) {
    return fmt::format("{} has no algorithm {}", name(call.collective), name(call.algorithm));
  }
  if (reduces(call.collective) && subject.op == Operator::matrix &&
      !keeps_order(call, subject.root)) {
    return fmt::format("{} by {} doesn't keep the order of the members, which {} needs",
                       name(call.collective), name(call.algorithm), name(subject.op));
  }
  if (call.collective == Collective::all_to_all && call.algorithm == Algorithm::bruck &&
      !has_equal_blocks(setup)) {
    return "all_to_all by bruck needs blocks of one size";
  }
  return std::nullopt;
}

/// Why the case can't be run at all, whatever its calls.
Objection objection(const CallsCase& subject, const Request& request) {
  const DtypeCombination& dtypes = subject.dtypes;
  if (subject.n > limits::elements_per_tensor) return "the vector is longer than one may be";
  if (static_cast<std::int64_t>(subject.mesh.axes.size()) > limits::mesh_axes) {
    return "the mesh has too many axes";
  }
  if (static_cast<std::int64_t>(request.ranks.size()) != rank_count(subject.mesh)) {
    return "the memory is not that of the mesh's ranks";
  }
  const bool acc_holds = info(dtypes.in).is_float
                             ? info(dtypes.acc).is_float && info(dtypes.acc).bytes >= 2 &&
                                   holds_every_value(dtypes.acc, dtypes.in)
                             : dtypes.acc == dtypes.in;
  if (!acc_holds || dtypes.wire != dtypes.in || dtypes.out != dtypes.in) {
    return "the dtypes don't go together";
  }
  const bool reduces_somewhere =
      std::any_of(subject.calls.begin(), subject.calls.end(),
                  [](const Call& call) { return reduces(call.collective); });
  if (reduces_somewhere && !serves(subject.op, dtypes.in)) {
    return fmt::format("{} isn't for {}", name(subject.op), info(dtypes.in).name);
  }
  return std::nullopt;
}

Objection objection(const CollectiveSetup& setup, const CollectiveTable& table) {
  const std::vector<Call>& calls = setup.subject.calls;
  for (std::size_t at = 0; at < calls.size(); ++at) {
    if (Objection why = objection(setup, table, calls[at])) return why;
    if (at == 0) continue;
    const Held wanted = held_before(calls[at].collective);
    const Held left = held_after(calls[at - 1].collective);
    if (left != wanted && !(wanted == Held::at_root && left == Held::whole)) {
      return fmt::format("{} doesn't start from what {} leaves", name(calls[at].collective),
                         name(calls[at - 1].collective));
    }
  }
  return std::nullopt;
}

Observation unsupported(std::string cause) {
  Observation seen;
  seen.ending = Ending::unsupported;
  seen.cause = std::move(cause);
  return seen;
}

}  // namespace

Observation run_calls_case(const CallsCase& subject, const Request& request,
                           const EndpointWrapper& wrap, const CollectiveTable& table,
                           std::span<Workspace> workspaces) {
  if (Objection why = objection(subject, request)) return unsupported(std::move(*why));
  const CollectiveSetup setup(subject);
  if (Objection why = objection(setup, table)) return unsupported(std::move(*why));
  const std::size_t ranks = request.ranks.size();
  Observation seen = observed(run_world(
      static_cast<std::int64_t>(ranks), subject.run, request.trace,
      [&](Endpoint& endpoint) {
        const auto rank = static_cast<std::size_t>(endpoint.rank());
        run_calls(setup, table, endpoint, request.ranks[rank], workspaces[rank]);
      },
      wrap));
  if (seen.ending == Ending::unsupported) return seen;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    seen.owned.push_back(owned_coordinates(setup, static_cast<std::int64_t>(rank)));
  }
  return seen;
}

}  // namespace shardcheck::impl
