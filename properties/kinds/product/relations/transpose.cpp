#include <algorithm>
#include <utility>

#include "rewriting.h"

namespace shardcheck {

namespace {

std::vector<Bits> transposed(const std::vector<Bits>& values, std::int64_t rows,
                             std::int64_t columns) {
  std::vector<Bits> result;
  result.reserve(values.size());
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      result.push_back(values[static_cast<std::size_t>(row * columns + column)]);
    }
  }
  return result;
}

Step transposed(Step step) {
  if (step.tensor != Tensor::c) step.tensor = step.tensor == Tensor::a ? Tensor::b : Tensor::a;
  std::swap(step.rows_over, step.columns_over);
  if (step.column_axis >= 0) std::swap(step.mesh_axis, step.column_axis);
  return step;
}

/// Whether A's k and B's come in one order on every rank.
bool holds_k_in_one_order(const model::PlanState& state) {
  for (std::size_t rank = 0; rank < state.a.shards.size(); ++rank) {
    if (state.a.shards[rank].columns != state.b.shards[rank].rows) return false;
  }
  return true;
}

bool cuts_k(const model::PlanState& state, const Step& step) {
  const auto& over = step.tensor == Tensor::a ? state.a.columns_over : state.b.rows_over;
  return std::ranges::find(over, step.mesh_axis) != over.end();
}

/// A local sum adds in the order of A's k list, which is B's in the transposed case. A ring brings
/// k in one order whichever operand it moves, and Cannon's parts are the same in both; SUMMA's
/// panels are taken along y first, which is x then.
bool adds_in_one_order(const model::ResolvedPlan& plan) {
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    const model::PlanState& before = plan.states[step];
    switch (plan.steps[step].kind) {
      case Step::Kind::local:
      case Step::Kind::local_scatter: return holds_k_in_one_order(before);
      case Step::Kind::gather_local:
        return cuts_k(before, plan.steps[step]) || holds_k_in_one_order(before);
      case Step::Kind::cannon: return true;
      case Step::Kind::summa: return false;
      case Step::Kind::slice:
      case Step::Kind::gather:
      case Step::Kind::exchange:
      case Step::Kind::reduce_scatter:
      case Step::Kind::all_reduce: break;
    }
  }
  return true;
}

}  // namespace

/// Every rule of a plan reads the same with rows and columns, A and B exchanged, but two: a cut by
/// position is one of the rows, and an all-reduce numbers its elements row by row, so that another
/// rank starts the sum of an element. The first has no counterpart; with the second, blocks are as
/// large as they were, and so are the bytes, but sums round in another order.
std::optional<Related> transposed(const ProductCase& subject, const model::ResolvedPlan& plan) {
  if (has_cut_by_position(subject, plan.steps)) return std::nullopt;
  Related related = unchanged(subject, plan);
  ProductCase& target = related.subject;
  std::swap(target.i, target.j);
  std::swap(target.a, target.b);
  for (Layout* layout : {&target.a, &target.b, &target.c}) std::swap(layout->rows, layout->columns);
  for (Step& step : *target.plan) step = transposed(std::move(step));
  const Data data = given_values(subject);
  target.data = {Data::Regime::given,
                 0,
                 {transposed(data.given[1], subject.k, subject.j),
                  transposed(data.given[0], subject.i, subject.k)}};
  related.is_transposed = true;
  related.rounds_alike =
      !has_step(subject, plan.steps, Step::Kind::all_reduce) && adds_in_one_order(plan);
  std::ranges::fill(related.bytes, Related::Bytes::equal_by_pair);
  return related;
}

}  // namespace shardcheck
