#include "documented.h"

#include <algorithm>
#include <vector>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/expectation/ownership.h>

#include "k_order.h"

namespace shardcheck {
namespace {

std::int64_t power_of_two_below(std::int64_t members) {
  std::int64_t power = 1;
  while (2 * power <= members) power *= 2;
  return power;
}

/// "Folded ranks": v stands for members 2v and 2v + 1, or for v + rem alone.
SummationTree folded(std::int64_t members, std::int64_t v) {
  const std::int64_t rem = members - power_of_two_below(members);
  return v < rem ? sum({term(2 * v), term(2 * v + 1)}) : term(v + rem);
}

std::int64_t folded_rank_of(std::int64_t members, std::int64_t member) {
  const std::int64_t rem = members - power_of_two_below(members);
  return member < 2 * rem ? member / 2 : member - rem;
}

/// What folded rank v has after exchanges over the distances, the last of them given: own ⊕
/// received.
SummationTree exchanged(std::int64_t members, std::int64_t v, std::int64_t distance, bool halves) {
  const std::int64_t before = halves ? distance * 2 : distance / 2;
  const std::int64_t top = power_of_two_below(members);
  if (distance < 1 || distance >= top) return folded(members, v);
  return sum(
      {exchanged(members, v, before, halves), exchanged(members, v ^ distance, before, halves)});
}

SummationTree halving(std::int64_t members, std::int64_t v) {
  return exchanged(members, v, 1, true);
}

SummationTree doubling(std::int64_t members) {
  return exchanged(members, 0, power_of_two_below(members) / 2, false);
}

/// x_first ⊕ x_{first + step} ⊕ … from the left, all members once, modulo their number.
SummationTree fold_from(std::int64_t members, std::int64_t first, std::int64_t step) {
  std::vector<SummationTree> terms;
  for (std::int64_t turn = 0; turn < members; ++turn) {
    terms.push_back(term(((first + step * turn) % members + members) % members));
  }
  return left_fold(terms);
}

/// own ⊕ child, child by child: u + 1, u + 2, u + 4, … below the lowest set bit of u.
SummationTree binomial(std::int64_t members, std::int64_t root, std::int64_t u) {
  std::vector<SummationTree> terms{term((u + root) % members)};
  for (std::int64_t bit = 1; u + bit < members && (u & bit) == 0; bit *= 2) {
    terms.push_back(binomial(members, root, u + bit));
  }
  return left_fold(terms);
}

/// The last one's partial is the first to move.
SummationTree chain(std::int64_t members, std::int64_t root) {
  return fold_from(members, root + members - 1, -1);
}

}  // namespace

std::int64_t block_count(Collective collective, Algorithm algorithm, std::int64_t members) {
  const bool is_folded =
      collective == Collective::all_reduce && algorithm == Algorithm::rabenseifner;
  return is_folded ? power_of_two_below(members) : members;
}

std::optional<SummationTree> documented_tree(Collective collective, Algorithm algorithm,
                                             std::int64_t members, std::int64_t block,
                                             std::int64_t root) {
  if (!reduces(collective) || !offers(collective, algorithm)) return std::nullopt;
  switch (algorithm) {
    case Algorithm::ring: return fold_from(members, block + 1, 1);
    case Algorithm::direct: return fold_from(members, 0, 1);
    case Algorithm::pairwise: return fold_from(members, block, -1);
    case Algorithm::halving: return halving(members, folded_rank_of(members, block));
    case Algorithm::doubling: return doubling(members);
    case Algorithm::rabenseifner: return halving(members, block);
    case Algorithm::binomial:
      return binomial(members, collective == Collective::reduce ? root : 0, 0);
    case Algorithm::chain: return chain(members, root);
    case Algorithm::bruck:
    case Algorithm::scatter_all_gather: break;
  }
  return std::nullopt;
}

namespace {

/// Where the element stands in what the rank holds, row-major; -1 if it doesn't hold it.
std::int64_t position_of(const ProductCase& subject, const model::Shard& shard,
                         std::int64_t coordinate) {
  const auto row = std::ranges::find(shard.rows, coordinate / subject.j);
  const auto column = std::ranges::find(shard.columns, coordinate % subject.j);
  if (row == shard.rows.end() || column == shard.columns.end()) return -1;
  return (row - shard.rows.begin()) * std::ssize(shard.columns) + (column - shard.columns.begin());
}

/// The part number of a position in `length` elements cut `balanced`.
std::int64_t balanced_part(std::int64_t length, std::int64_t parts, std::int64_t position) {
  const std::int64_t longer = length % parts;
  const std::int64_t size = length / parts;
  if (position < longer * (size + 1)) return position / (size + 1);
  return longer + (position - longer * (size + 1)) / size;
}

/// One element while a plan runs: by rank, its tree; nothing where the rank doesn't hold it or has
/// only a +0 to give.
class Element {
 public:
  Element(const ProductCase& subject, const model::ResolvedPlan& plan, std::int64_t coordinate)
      : subject_(subject), plan_(plan), coordinate_(coordinate) {}

  std::optional<SummationTree> after(std::size_t state, std::int64_t rank) const {
    const Step& step = plan_.steps[state - 1];
    switch (step.kind) {
      case Step::Kind::local:
      case Step::Kind::gather_local:
      case Step::Kind::summa:
      case Step::Kind::cannon: return local_sum(state, rank);
      case Step::Kind::local_scatter: return scattered(state, rank);
      case Step::Kind::reduce_scatter: return reduced(state, rank, Collective::reduce_scatter);
      case Step::Kind::all_reduce: return reduced(state, rank, Collective::all_reduce);
      case Step::Kind::slice:
      case Step::Kind::gather:
      case Step::Kind::exchange: return moved(state, rank);
    }
    return std::nullopt;
  }

 private:
  bool is_held(std::size_t state, std::int64_t rank) const {
    const auto& shards = plan_.states[state].c->shards;
    return position_of(subject_, shards[static_cast<std::size_t>(rank)], coordinate_) >= 0;
  }

  std::optional<SummationTree> local_sum(std::size_t state, std::int64_t rank) const {
    std::vector<SummationTree> terms;
    for (const std::int64_t k :
         k_order(subject_.mesh, plan_.steps[state - 1], plan_.states[state - 1], rank)) {
      terms.push_back(term(k));
    }
    if (terms.empty()) return std::nullopt;
    return left_fold(terms);
  }

  /// A ring whatever the case's algorithm; each member's sum is made when it is due.
  std::optional<SummationTree> scattered(std::size_t state, std::int64_t rank) const {
    const auto members = model::group(subject_.mesh, rank, plan_.steps[state - 1].mesh_axis);
    const auto tree =
        documented_tree(Collective::reduce_scatter, Algorithm::ring, std::ssize(members),
                        std::ranges::find(members, rank) - members.begin());
    SHARDCHECK_REQUIRE(tree, "a ring reduces");
    return substituted(*tree, [&](std::int64_t member) {
      return local_sum(state, members[static_cast<std::size_t>(member)]);
    });
  }

  std::optional<SummationTree> reduced(std::size_t state, std::int64_t rank,
                                       Collective collective) const {
    const int axis = plan_.steps[state - 1].mesh_axis;
    const std::vector<std::int64_t> members = model::group(subject_.mesh, rank, axis);
    const Algorithm algorithm = algorithm_of(subject_, collective);
    const auto count = std::ssize(members);
    std::int64_t block = std::ranges::find(members, rank) - members.begin();
    if (collective == Collective::all_reduce) {
      const model::Shard& held = plan_.states[state - 1].c->shards[static_cast<std::size_t>(rank)];
      block = balanced_part(std::ssize(held.rows) * std::ssize(held.columns),
                            block_count(collective, algorithm, count),
                            position_of(subject_, held, coordinate_));
    }
    const auto tree = documented_tree(collective, algorithm, count, block);
    SHARDCHECK_REQUIRE(tree, "a plan reduces by algorithms that reduce");
    return substituted(*tree, [&](std::int64_t member) {
      return before(state, members[static_cast<std::size_t>(member)]);
    });
  }

  /// As it was, or as the holder had it that shares the rank's coordinates on every mesh axis that
  /// didn't cut C before the step.
  std::optional<SummationTree> moved(std::size_t state, std::int64_t rank) const {
    if (plan_.steps[state - 1].tensor != Tensor::c || is_held(state - 1, rank)) {
      return before(state, rank);
    }
    const model::TensorState& c = *plan_.states[state - 1].c;
    const auto wanted = model::coordinates(subject_.mesh, rank);
    for (std::int64_t other = 0; other < rank_count(subject_.mesh); ++other) {
      if (is_held(state - 1, other) &&
          shares(c, wanted, model::coordinates(subject_.mesh, other))) {
        return before(state, other);
      }
    }
    SHARDCHECK_REQUIRE(false, "somebody holds every element of C");
    return std::nullopt;
  }

  static bool shares(const model::TensorState& c, const std::vector<std::int64_t>& one,
                     const std::vector<std::int64_t>& other) {
    for (std::size_t axis = 0; axis < one.size(); ++axis) {
      const auto cuts = [axis](const std::vector<int>& over) {
        return std::ranges::find(over, static_cast<int>(axis)) != over.end();
      };
      if (!cuts(c.rows_over) && !cuts(c.columns_over) && one[axis] != other[axis]) return false;
    }
    return true;
  }

  std::optional<SummationTree> before(std::size_t state, std::int64_t rank) const {
    return after(state - 1, rank);
  }

  const ProductCase& subject_;
  const model::ResolvedPlan& plan_;
  std::int64_t coordinate_;
};

}  // namespace

std::optional<SummationTree> documented_tree(const ProductCase& subject,
                                             const model::ResolvedPlan& plan, std::int64_t rank,
                                             std::int64_t coordinate) {
  return Element(subject, plan, coordinate).after(plan.steps.size(), rank);
}

}  // namespace shardcheck
