#include <algorithm>

#include <shardcheck/model/plan/woven_steps.h>
#include <shardcheck/properties/kinds/product/unwoven.h>

#include "rewriting.h"

namespace shardcheck {

namespace {

/// The algorithm by which the steps that it stands for send as it does, where one does.
void choose_algorithms(const Step& schedule, ProductCase& target) {
  const auto of = [&target](Collective collective) -> Algorithm& {
    return target.algorithms[static_cast<std::size_t>(collective)];
  };
  switch (schedule.kind) {
    case Step::Kind::gather_local: of(Collective::all_gather) = Algorithm::ring; break;
    case Step::Kind::local_scatter: of(Collective::reduce_scatter) = Algorithm::ring; break;
    case Step::Kind::summa:
    case Step::Kind::cannon: of(Collective::all_gather) = Algorithm::direct; break;
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: break;
  }
}

/// Whether A's k list after a gather of the rows or columns is the one that the ring multiplies by.
bool adds_in_the_same_order(const Step& schedule, const model::PlanState& before) {
  switch (schedule.kind) {
    case Step::Kind::gather_local: {
      const auto& k_over =
          schedule.tensor == Tensor::a ? before.a.columns_over : before.b.rows_over;
      return std::ranges::find(k_over, schedule.mesh_axis) == k_over.end();
    }
    case Step::Kind::local_scatter: return true;
    case Step::Kind::summa:
    case Step::Kind::cannon:
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: break;
  }
  return false;
}

bool is_by_algorithms(const Step& step) {
  return step.kind == Step::Kind::gather || step.kind == Step::Kind::reduce_scatter;
}

}  // namespace

/// The schedule becomes the steps that it stands for. Its ring sends what a ring all-gather or
/// reduce-scatter sends, SUMMA what a direct all-gather does; Cannon's skew comes on top. A sum
/// over k that arrives part by part has another order than one over gathered operands, so that bits
/// are compared only where no order matters; the two others add alike. The algorithms chosen hold
/// for the other steps as well: those steps then send otherwise, and a reduce-scatter may add
/// otherwise.
std::optional<Related> woven_apart(const ProductCase& subject, const model::ResolvedPlan& plan) {
  const auto schedule =
      std::ranges::find_if(plan.steps, [](const Step& step) { return is_woven(step.kind); });
  if (schedule == plan.steps.end()) return std::nullopt;
  Related related = unchanged(subject, plan);
  ProductCase& target = related.subject;
  choose_algorithms(*schedule, target);
  target.plan = unwoven(plan.steps);
  related.phase_of.clear();
  for (std::size_t phase = 0; phase < plan.steps.size(); ++phase) {
    const Step& step = plan.steps[phase];
    related.phase_of.insert(related.phase_of.end(), model::stands_for(step).size(),
                            static_cast<std::int64_t>(phase));
    const bool sends_alike = target.algorithms == subject.algorithms || !is_by_algorithms(step);
    if (sends_alike) related.bytes[phase] = Related::Bytes::equal_by_pair;
    if (step.kind == Step::Kind::cannon) related.bytes[phase] = Related::Bytes::no_more;
  }
  const auto place = static_cast<std::size_t>(schedule - plan.steps.begin());
  const bool reduces_alike = algorithm_of(target, Collective::reduce_scatter) ==
                                 algorithm_of(subject, Collective::reduce_scatter) ||
                             !has_step(subject, plan.steps, Step::Kind::reduce_scatter);
  related.rounds_alike = reduces_alike && adds_in_the_same_order(*schedule, plan.states[place]);
  return related;
}

}  // namespace shardcheck
