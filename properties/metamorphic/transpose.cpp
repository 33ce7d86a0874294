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
  return step;
}

/// A local sum adds in the order of A's k list, which is B's in the transposed case.
bool adds_in_one_order(const model::ResolvedPlan& plan) {
  for (std::size_t step = 0; step < plan.steps.size(); ++step) {
    if (plan.steps[step].kind != Step::Kind::local) continue;
    const model::PlanState& before = plan.states[step];
    for (std::size_t rank = 0; rank < before.a.shards.size(); ++rank) {
      if (before.a.shards[rank].columns != before.b.shards[rank].rows) return false;
    }
  }
  return true;
}

}  // namespace

/// Every rule of a plan reads the same with rows and columns, A and B exchanged, but two: a cut by
/// position is one of the rows, and an all-reduce numbers its elements row by row, so that another
/// rank starts the sum of an element. The first has no counterpart; with the second, blocks are as
/// large as they were, and so are the bytes, but sums round in another order.
std::optional<Related> transposed(const Case& subject, const model::ResolvedPlan& plan) {
  if (has_cut_by_position(subject, plan.steps)) return std::nullopt;
  Related related = unchanged(subject, plan);
  Case& target = related.subject;
  std::swap(target.i, target.j);
  std::swap(target.a, target.b);
  for (Layout* layout : {&target.a, &target.b, &target.c}) std::swap(layout->rows, layout->columns);
  for (Step& step : *target.plan) step = transposed(std::move(step));
  const Data data = given_values(subject);
  target.data.regime = Data::Regime::given;
  target.data.seed = 0;
  target.data.a = transposed(data.b, subject.k, subject.j);
  target.data.b = transposed(data.a, subject.i, subject.k);
  related.is_transposed = true;
  related.rounds_alike =
      !has_step(subject, plan.steps, Step::Kind::all_reduce) && adds_in_one_order(plan);
  std::ranges::fill(related.bytes, Related::Bytes::equal_by_pair);
  return related;
}

}  // namespace shardcheck
