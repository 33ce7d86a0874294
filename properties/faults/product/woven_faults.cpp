#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/expectation/ownership.h>
#include <shardcheck/model/plan/rules.h>
#include <shardcheck/properties/faults/copied_inputs.h>
#include <shardcheck/properties/faults/wrapped_endpoint.h>
#include <shardcheck/properties/kinds/product/unwoven.h>

#include "doubled.h"
#include "fault_tables.h"

namespace shardcheck {

namespace {

using List = std::vector<std::int64_t>;

/// The schedule of a plan and what it meets; nothing if the plan has none of that kind.
struct Woven {
  model::ResolvedPlan plan;
  std::size_t place = 0;

  const Step& step() const { return plan.steps[place]; }
  const model::PlanState& before() const { return plan.states[place]; }
  /// The operands lie as the case lays them out: what is changed there is changed for the schedule.
  bool is_first_to_move() const {
    return before().a == plan.states.front().a && before().b == plan.states.front().b;
  }
};

std::optional<Woven> woven(const ProductCase& subject, Step::Kind kind) {
  auto plan = model::resolve(subject);
  if (!plan) return std::nullopt;
  const auto found = std::ranges::find(plan->steps, kind, &Step::kind);
  if (found == plan->steps.end()) return std::nullopt;
  const auto place = static_cast<std::size_t>(found - plan->steps.begin());
  return Woven{*std::move(plan), place};
}

std::size_t index_of(std::int64_t value) { return static_cast<std::size_t>(value); }

std::int64_t place_on(const Mesh& mesh, std::int64_t rank, int axis) {
  return model::coordinates(mesh, rank)[static_cast<std::size_t>(axis)];
}

/// The k lists of an operand, by member of the rank's group along the axis.
std::vector<List> parts(const ProductCase& subject, const model::TensorState& state, Tensor tensor,
                        std::int64_t rank, int axis) {
  std::vector<List> lists;
  for (const std::int64_t member : model::group(subject.mesh, rank, axis)) {
    const model::Shard& shard = state.shards[index_of(member)];
    lists.push_back(tensor == Tensor::a ? shard.columns : shard.rows);
  }
  return lists;
}

bool are_alike_long(const std::vector<List>& lists) {
  return std::ranges::all_of(lists,
                             [&](const List& list) { return list.size() == lists.front().size(); });
}

/// Cannon's blocks, if they all have one size and more than one rank a side.
std::optional<Woven> even_cannon(const ProductCase& subject) {
  auto found = woven(subject, Step::Kind::cannon);
  if (!found || !found->is_first_to_move()) return std::nullopt;
  const auto lists = parts(subject, found->before().a, Tensor::a, 0, found->step().column_axis);
  if (lists.size() < 2 || lists.front().empty() || !are_alike_long(lists)) return std::nullopt;
  return found;
}

/// A's blocks are skewed, B's stay where they are until the first shift: rank (x, y) meets B's part
/// x + t where A's is x + y + t.
Observation without_skew_of_b(const ProductCase& subject, const Request& request, Backend& inner) {
  const auto found = even_cannon(subject);
  if (!found) return inner.run(request);
  const auto [x_axis, y_axis] = std::pair(found->step().mesh_axis, found->step().column_axis);
  CopiedInputs inputs(request);
  const auto lists = parts(subject, found->before().b, Tensor::b, 0, x_axis);
  const auto side = std::ssize(lists);
  for (std::int64_t rank = 0; rank < std::ssize(request.ranks); ++rank) {
    const List column = model::group(subject.mesh, rank, x_axis);
    const std::int64_t x = place_on(subject.mesh, rank, x_axis);
    const std::int64_t y = place_on(subject.mesh, rank, y_axis);
    const std::int64_t other = column[index_of((x + side - y) % side)];
    std::ranges::copy(request.ranks[index_of(other)].inputs[1],
                      inputs.of(index_of(rank), 1).begin());
  }
  Observation observation = inner.run(inputs.request());
  if (!observation.products) return observation;
  for (LocalProduct& product : *observation.products) {
    const std::int64_t y = place_on(subject.mesh, product.rank, y_axis);
    for (std::int64_t& k : product.b_rows) {
      for (std::int64_t part = 0; part < side; ++part) {
        const auto at = std::ranges::find(lists[index_of(part)], k);
        if (at == lists[index_of(part)].end()) continue;
        k = lists[index_of((part + side - y) % side)][index_of(at - lists[index_of(part)].begin())];
        break;
      }
    }
  }
  return observation;
}

/// For each rank its neighbours on Cannon's square, as they are and mirrored.
struct Square {
  std::int64_t phase = 0;
  std::vector<std::int64_t> x;  ///< by rank
  std::vector<std::int64_t> y;
  std::vector<std::map<std::int64_t, std::int64_t>> mirrored;  ///< by rank: to whom instead
};

Square square_of(const ProductCase& subject, const Woven& found) {
  Square square;
  square.phase = static_cast<std::int64_t>(found.place);
  square.mirrored.resize(index_of(rank_count(subject.mesh)));
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    square.x.push_back(place_on(subject.mesh, rank, found.step().mesh_axis));
    square.y.push_back(place_on(subject.mesh, rank, found.step().column_axis));
    for (const int axis : {found.step().mesh_axis, found.step().column_axis}) {
      const List members = model::group(subject.mesh, rank, axis);
      const auto own = index_of(place_on(subject.mesh, rank, axis));
      for (std::size_t away = 0; away < members.size(); ++away) {
        if (away == own) continue;
        square.mirrored[index_of(rank)][members[away]] =
            members[(2 * own + members.size() - away) % members.size()];
      }
    }
  }
  return square;
}

/// After the skew what should go left goes right, and what should go up goes down.
class MirroredShifts final : public WrappedEndpoint {
 public:
  MirroredShifts(impl::Endpoint& inner, const Square& square)
      : WrappedEndpoint(inner), square_(square) {}

  void begin_phase(std::int64_t phase, Dtype dtype) override {
    is_due_ = phase == square_.phase;
    WrappedEndpoint::begin_phase(phase, dtype);
  }
  impl::Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    return WrappedEndpoint::start_send(turned(destination, skewed_away_), payload);
  }
  impl::Pending start_receive(std::int64_t source, std::size_t bytes,
                              std::function<void(std::span<const std::byte>)> consume) override {
    return WrappedEndpoint::start_receive(turned(source, skewed_here_), bytes, std::move(consume));
  }

 private:
  /// Ranks off the first row and column have a message each way in the skew of A and of B.
  std::int64_t turned(std::int64_t other, int& skewed) {
    if (!is_due_) return other;
    const auto own = index_of(rank());
    const int in_the_skew = (square_.x[own] != 0 ? 1 : 0) + (square_.y[own] != 0 ? 1 : 0);
    return skewed++ < in_the_skew ? other : square_.mirrored[own].at(other);
  }

  const Square& square_;
  bool is_due_ = false;
  int skewed_away_ = 0;
  int skewed_here_ = 0;
};

Observation shifted_the_wrong_way(const ProductCase& subject, const Request& request,
                                  Backend& inner) {
  const auto found = even_cannon(subject);
  if (!found) return inner.run(request);
  const Square square = square_of(subject, *found);
  impl::ShardedBackend wrong([&square](impl::Endpoint& endpoint) {
    return std::make_unique<MirroredShifts>(endpoint, square);
  });
  return wrong.run(request);
}

/// The k's of SUMMA's last panel that has any.
List last_panel(const ProductCase& subject, const Woven& found) {
  const auto of_a = parts(subject, found.before().a, Tensor::a, 0, found.step().column_axis);
  const auto of_b = parts(subject, found.before().b, Tensor::b, 0, found.step().mesh_axis);
  List panel;
  for (const List& part_of_a : of_a) {
    for (const List& part_of_b : of_b) {
      List both;
      std::ranges::copy_if(part_of_a, std::back_inserter(both), [&](std::int64_t k) {
        return std::ranges::find(part_of_b, k) != part_of_b.end();
      });
      if (!both.empty()) panel = std::move(both);
    }
  }
  return panel;
}

/// Every rank multiplies the last panel twice: its buffer wasn't changed for the next one's.
Observation panel_twice(const ProductCase& subject, const Request& request, Backend& inner) {
  const auto found = woven(subject, Step::Kind::summa);
  if (!found) return inner.run(request);
  const List panel = last_panel(subject, *found);
  CopiedInputs inputs(request);
  const auto a = model::shards(subject, Tensor::a);
  for (std::size_t rank = 0; rank < a.size(); ++rank) {
    const std::span<std::byte> bytes = inputs.of(rank);
    const auto columns = std::ssize(a[rank].columns);
    for (std::int64_t index = 0; index < std::ssize(a[rank].rows) * columns; ++index) {
      const std::int64_t k = a[rank].columns[index_of(index % columns)];
      if (std::ranges::find(panel, k) == panel.end()) continue;
      const Bits once = load(bytes, subject.dtypes.in, index);
      store(bytes, subject.dtypes.in, index, doubled(subject.dtypes.in, once));
    }
  }
  Observation observation = inner.run(inputs.request());
  if (!observation.products) return observation;
  for (LocalProduct& product : *observation.products) {
    product.a_columns.insert(product.a_columns.end(), panel.begin(), panel.end());
    product.b_rows.insert(product.b_rows.end(), panel.begin(), panel.end());
  }
  return observation;
}

/// Of the last message of a phase, zeros arrive.
class LastBlockLost final : public WrappedEndpoint {
 public:
  LastBlockLost(impl::Endpoint& inner, std::int64_t phase, std::int64_t messages)
      : WrappedEndpoint(inner), phase_(phase), left_(messages) {}

  void begin_phase(std::int64_t phase, Dtype dtype) override {
    is_due_ = phase == phase_;
    WrappedEndpoint::begin_phase(phase, dtype);
  }
  impl::Pending start_receive(std::int64_t source, std::size_t bytes,
                              std::function<void(std::span<const std::byte>)> consume) override {
    if (!is_due_ || --left_ > 0) {
      return WrappedEndpoint::start_receive(source, bytes, std::move(consume));
    }
    return WrappedEndpoint::start_receive(
        source, bytes, [consume = std::move(consume)](std::span<const std::byte> payload) {
          consume(std::vector<std::byte>(payload.size()));
        });
  }

 private:
  std::int64_t phase_;
  std::int64_t left_;
  bool is_due_ = false;
};

/// The loop over the ring ends one block early: a member never multiplies its successor's.
Observation last_block_left_out(const ProductCase& subject, const Request& request,
                                Backend& inner) {
  const auto found = woven(subject, Step::Kind::gather_local);
  if (!found) return inner.run(request);
  const Step& step = found->step();
  const bool is_a = step.tensor == Tensor::a;
  const model::TensorState& moved = is_a ? found->before().a : found->before().b;
  const std::vector<int>& k_over = is_a ? moved.columns_over : moved.rows_over;
  const std::int64_t members = subject.mesh.axes[static_cast<std::size_t>(step.mesh_axis)].size;
  if (members < 2 || std::ranges::find(k_over, step.mesh_axis) == k_over.end()) {
    return inner.run(request);
  }
  impl::ShardedBackend wrong([&](impl::Endpoint& endpoint) {
    return std::make_unique<LastBlockLost>(endpoint, static_cast<std::int64_t>(found->place),
                                           members - 1);
  });
  Observation observation = wrong.run(request);
  if (!observation.products) return observation;
  for (LocalProduct& product : *observation.products) {
    const auto lists = parts(subject, moved, step.tensor, product.rank, step.mesh_axis);
    const std::int64_t own = place_on(subject.mesh, product.rank, step.mesh_axis);
    const List& lost = lists[index_of((own + 1) % members)];
    const auto is_lost = [&](std::int64_t k) { return std::ranges::find(lost, k) != lost.end(); };
    std::erase_if(product.a_columns, is_lost);
    std::erase_if(product.b_rows, is_lost);
  }
  return observation;
}

/// Gathers first and multiplies then, in the order that the gather leaves.
Observation gathered_first(const ProductCase& subject, const Request& request, Backend& inner) {
  const auto found = woven(subject, Step::Kind::gather_local);
  if (!found) return inner.run(request);
  ProductCase other = subject;
  other.plan = unwoven(found->plan.steps);
  Observation observation = inner.run({other, request.ranks, request.trace});
  observation.steps = found->plan.steps;
  observation.ledger.reset();
  return observation;
}

/// The last rank multiplies the block of C after the one that is due: its rows of A stand one block
/// further up.
Observation block_off_by_one(const ProductCase& subject, const Request& request, Backend& inner) {
  const auto found = woven(subject, Step::Kind::local_scatter);
  if (!found || !found->is_first_to_move()) return inner.run(request);
  const auto last = request.ranks.size() - 1;
  std::vector<List> blocks;
  for (const std::int64_t member :
       model::group(subject.mesh, static_cast<std::int64_t>(last), found->step().mesh_axis)) {
    blocks.push_back(found->plan.states[found->place + 1].c->shards[index_of(member)].rows);
  }
  const model::Shard& held = found->before().a.shards[last];
  const bool is_cut_by_rows = std::set<List>(blocks.begin(), blocks.end()).size() > 1;
  if (!is_cut_by_rows || !are_alike_long(blocks)) return inner.run(request);
  CopiedInputs inputs(request);
  const Dtype in = subject.dtypes.in;
  const auto columns = std::ssize(held.columns);
  const auto place_of = [&held](std::int64_t row) {
    return std::ranges::find(held.rows, row) - held.rows.begin();
  };
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const List& next = blocks[(block + 1) % blocks.size()];
    for (std::size_t row = 0; row < next.size(); ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        store(inputs.of(last), in, place_of(blocks[block][row]) * columns + column,
              load(request.ranks[last].inputs[0], in, place_of(next[row]) * columns + column));
      }
    }
  }
  return inner.run(inputs.request());
}

}  // namespace

std::vector<PlantedFault> woven_faults() {
  return {
      {"cannon_without_skew_of_b",
       "Cannon's blocks of B, if alike long in k, aren't skewed before the first product",
       "class M: k blocks of B in another order than A's", Invariant::coverage,
       planted(&without_skew_of_b)},
      {"cannon_shifted_the_wrong_way",
       "Cannon's blocks, if alike long in k, go right and down instead of left and up",
       "class N: a neighbour's neighbour", Invariant::ledger, planted(&shifted_the_wrong_way)},
      {"panel_multiplied_twice", "SUMMA's last panel is multiplied twice by every rank",
       "class C: a contribution counted twice", Invariant::coverage, planted(&panel_twice)},
      {"last_block_left_out", "the last block that a ring brings is never multiplied",
       "class A: the last step of a loop is lost", Invariant::coverage,
       planted(&last_block_left_out)},
      {"gathered_before_it_multiplies",
       "k is gathered before the product, not as the ring brings it",
       "class L: an order that the documented schedule doesn't have", Invariant::value,
       planted(&gathered_first)},
      {"block_off_by_one", "the last rank multiplies the block of C after the one that is due",
       "class B: an offset off by one block", Invariant::value, planted(&block_off_by_one)},
  };
}

}  // namespace shardcheck
