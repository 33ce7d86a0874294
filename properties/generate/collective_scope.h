#pragma once

/// Restrictions on cases of collectives once they are understood, and which kinds of case a run's
/// restrictions leave.
///
///     scopes_of({{{"kind", "collective"}, {"op", "max"}}})->collectives->op == Operator::max

#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include <shardcheck/model/case/calls_case.h>

#include "collective_cells.h"
#include "generate.h"

namespace shardcheck {

/// Nothing: free.
struct CollectiveScope {
  std::optional<Collective> collective;  ///< one of the calls
  std::optional<Algorithm> algorithm;    ///< of one of those calls
  std::optional<Operator> op;            ///< of a call that reduces
  std::optional<Dtype> in;
  std::optional<Dtype> acc;
  std::optional<Mesh> mesh;
  std::optional<std::int64_t> ranks;
  std::optional<std::int64_t> n;
  std::optional<Split::Rule> rule;
  std::optional<BlockShape> shape;  ///< of one call alone; not for people to ask for
  std::optional<bool> in_place;
  std::optional<Order> order;
  std::optional<Data::Regime> regime;
  std::optional<Run::Kind> run;
};

/// What restrictions leave of each kind of case; nothing: they rule that kind out.
struct Scopes {
  std::optional<Restrictions> products;
  std::optional<CollectiveScope> collectives;
};

/// Keys that only one kind of case has rule the other out, as `kind=matmul` and `kind=collective`
/// do. Or what is wrong with the first bad entry, in one line.
tl::expected<Scopes, std::string> scopes_of(const Restrictions& restrictions);

/// True if the case is one that the scope asks for.
bool allows(const CollectiveScope& scope, const CallsCase& subject);

}  // namespace shardcheck
