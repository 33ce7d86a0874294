#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/plan/rules.h>
#include <shardcheck/model/plan/woven_steps.h>
#include <shardcheck/properties/generate/plainness.h>

#include "reductions.h"

namespace shardcheck {
namespace {

void simplify_algorithms(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  candidates.push_back(subject);
  candidates.back().algorithms.fill(Algorithm::ring);
  for (std::size_t index = 0; index < subject.algorithms.size(); ++index) {
    candidates.push_back(subject);
    candidates.back().algorithms[index] = Algorithm::ring;
  }
}

/// A woven step gives way to the steps that it stands for, to the product alone, or Cannon's to
/// SUMMA.
void simplify_woven(const ProductCase& subject, std::size_t place,
                    std::vector<ProductCase>& candidates) {
  const Step& step = (*subject.plan)[place];
  if (!is_woven(step.kind)) return;
  std::vector<Plan> simpler{{Step{}}, model::stands_for(step)};
  if (step.kind == Step::Kind::cannon) {
    simpler.push_back({step});
    simpler.back().front().kind = Step::Kind::summa;
  }
  for (const Plan& steps : simpler) {
    candidates.push_back(subject);
    Plan& plan = *candidates.back().plan;
    const auto at = plan.erase(plan.begin() + static_cast<std::ptrdiff_t>(place));
    plan.insert(at, steps.begin(), steps.end());
  }
}

void simplify_plan(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  if (!subject.plan) return;
  candidates.push_back(subject);
  candidates.back().plan.reset();
  for (std::size_t step = 0; step < subject.plan->size(); ++step) {
    candidates.push_back(subject);
    Plan& plan = *candidates.back().plan;
    plan.erase(plan.begin() + static_cast<std::ptrdiff_t>(step));
    simplify_woven(subject, step, candidates);
  }
}

void simplify_promises(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  candidates.push_back(subject);
  candidates.back().kernel = Kernel::fast;
  for (const Fma fma : {Fma::no, Fma::yes}) {
    candidates.push_back(subject);
    candidates.back().fma = fma;
  }
}

}  // namespace

std::vector<DtypeCombination> plainer_dtypes(const DtypeCombination& now) {
  std::vector<DtypeCombination> plainer;
  for (const Dtype plain : dtypes_by_plainness) plainer.push_back({plain, plain, plain, plain});
  for (const Dtype plain : dtypes_by_plainness) {
    plainer.push_back({now.in, plain, plain, plain});
    plainer.push_back({now.in, now.acc, plain, plain});
    plainer.push_back({plain, now.acc, now.wire, now.out});
    plainer.push_back({now.in, plain, now.wire, now.out});
    plainer.push_back({now.in, now.acc, plain, now.out});
    plainer.push_back({now.in, now.acc, now.wire, plain});
  }
  std::erase_if(plainer, [](const DtypeCombination& one) { return !is_legal(one); });
  return plainer;
}

void pin_plans(const ProductCase& subject, const std::vector<Case>& bold,
               std::vector<ProductCase>& candidates) {
  if (subject.plan) return;
  const auto resolved = model::resolve(subject);
  if (!resolved) return;
  for (const Case& candidate : bold) {
    if (setting(candidate).mesh.axes.size() != subject.mesh.axes.size()) continue;
    candidates.push_back(std::get<ProductCase>(candidate));
    candidates.back().plan = resolved->steps;
  }
}

void reduce_choices(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  simplify_algorithms(subject, candidates);
  simplify_plan(subject, candidates);
  simplify_promises(subject, candidates);
}

}  // namespace shardcheck
