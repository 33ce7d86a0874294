#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/schedules.h>

#include "plainness.h"
#include "reductions.h"

namespace shardcheck {
namespace {

void add_dtypes(const ProductCase& subject, const DtypeCombination& combination,
                std::vector<ProductCase>& candidates) {
  if (combination == subject.dtypes || !is_legal(combination)) return;
  ProductCase candidate = subject;
  if (set_dtypes(candidate, combination)) candidates.push_back(std::move(candidate));
}

void simplify_dtypes(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  for (const Dtype plain : dtypes_by_plainness) {
    add_dtypes(subject, {plain, plain, plain, plain}, candidates);
  }
  const DtypeCombination& now = subject.dtypes;
  for (const Dtype plain : dtypes_by_plainness) {
    add_dtypes(subject, {now.in, plain, plain, plain}, candidates);
    add_dtypes(subject, {now.in, now.acc, plain, plain}, candidates);
    add_dtypes(subject, {plain, now.acc, now.wire, now.out}, candidates);
    add_dtypes(subject, {now.in, plain, now.wire, now.out}, candidates);
    add_dtypes(subject, {now.in, now.acc, plain, now.out}, candidates);
    add_dtypes(subject, {now.in, now.acc, now.wire, plain}, candidates);
  }
}

void simplify_algorithms(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  candidates.push_back(subject);
  candidates.back().algorithms.fill(Algorithm::ring);
  for (std::size_t index = 0; index < subject.algorithms.size(); ++index) {
    candidates.push_back(subject);
    candidates.back().algorithms[index] = Algorithm::ring;
  }
}

/// A schedule gives way to the steps that it stands for, to the product alone, or Cannon's to
/// SUMMA.
void simplify_schedule(const ProductCase& subject, std::size_t place, std::vector<ProductCase>& candidates) {
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
    simplify_schedule(subject, step, candidates);
  }
}

void simplify_promises(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  candidates.push_back(subject);
  candidates.back().order = Order::declared;
  candidates.push_back(subject);
  candidates.back().kernel = Kernel::fast;
  for (const Fma fma : {Fma::no, Fma::yes}) {
    candidates.push_back(subject);
    candidates.back().fma = fma;
  }
}

void simplify_run(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  candidates.push_back(subject);
  candidates.back().run = Run{};
  if (subject.run.kind == Run::Kind::threads) return;
  const std::uint64_t seed = subject.run.seed;
  const auto add_seed = [&](std::uint64_t smaller) {
    candidates.push_back(subject);
    candidates.back().run.seed = smaller;
  };
  if (subject.run.kind == Run::Kind::trace) return;
  for (std::uint64_t smaller = 0; smaller < 8 && smaller < seed; ++smaller) add_seed(smaller);
  if (seed >= 16) add_seed(seed / 2);
  if (subject.run.kind != Run::Kind::pct) return;
  for (std::int64_t depth = 1; depth < subject.run.depth; ++depth) {
    candidates.push_back(subject);
    candidates.back().run.depth = depth;
  }
}

}  // namespace

bool set_dtypes(ProductCase& subject, const DtypeCombination& combination) {
  for (std::vector<Bits>& values : subject.data.given) {
    for (Bits& bits : values) {
      const auto converted = parse_value(combination.in, print_value(subject.dtypes.in, bits));
      if (!converted) return false;
      bits = *converted;
    }
  }
  subject.dtypes = combination;
  return true;
}

void reduce_choices(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  simplify_dtypes(subject, candidates);
  simplify_algorithms(subject, candidates);
  simplify_plan(subject, candidates);
  simplify_promises(subject, candidates);
  simplify_run(subject, candidates);
}

}  // namespace shardcheck
