#include "measure.h"

#include <algorithm>
#include <array>

#include <shardcheck/model/case/text.h>

#include "plainness.h"

namespace shardcheck {
namespace {

using Number = std::uint64_t;

Number square(std::size_t value) { return static_cast<Number>(value) * value; }

Number cut_count(const Layout& layout) {
  return layout.rows.over.size() + layout.columns.over.size() + layout.partial_over.size();
}

Number weight(const Cut& cut) {
  Number total = weight(cut.split);
  for (std::size_t place = 0; place + 1 < cut.over.size(); ++place) {
    if (cut.over[place] > cut.over[place + 1]) ++total;
  }
  return total;
}

Number weight(const DtypeCombination& dtypes) {
  Number total = 0;
  for (const Dtype dtype : {dtypes.in, dtypes.acc, dtypes.wire, dtypes.out}) {
    total += plainness(dtype);
  }
  return total;
}

/// A schedule weighs more than the steps that it stands for, Cannon's more than SUMMA; half a step
/// more if its axes come in another order than the mesh has them in.
Number steps_weighed(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: return 1;
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter: return 3;
    case Step::Kind::summa: return 4;
    case Step::Kind::cannon: return 5;
  }
  return 1;
}

Number weight(const Plan& plan) {
  Number total = 0;
  for (const Step& step : plan) {
    const bool is_turned = step.column_axis >= 0 && step.mesh_axis > step.column_axis;
    total += 2 * steps_weighed(step.kind) + (is_turned ? 1 : 0);
  }
  return total;
}

void append_run(const Run& run, std::vector<Number>& parts) {
  parts.push_back(static_cast<Number>(run.kind));
  parts.push_back(static_cast<Number>(run.depth));
  parts.push_back(run.trace.size());
  parts.push_back(run.seed);
}

}  // namespace

std::uint64_t weight(const Split& split) {
  constexpr Number rule_step = Number{1} << 40;
  constexpr Number evenness_step = Number{1} << 16;
  Number total = static_cast<Number>(split.rule) * rule_step;
  for (const std::int64_t size : split.sizes) {
    total += square(static_cast<std::size_t>(size)) * evenness_step;
  }
  std::vector<std::int64_t> order;
  for (const auto& set : split.sets) {
    total += square(set.size()) * evenness_step;
    order.insert(order.end(), set.begin(), set.end());
  }
  for (std::size_t place = 0; place < order.size(); ++place) {
    total += static_cast<Number>(
        std::count_if(order.begin() + static_cast<std::ptrdiff_t>(place), order.end(),
                      [&](std::int64_t later) { return later < order[place]; }));
  }
  return total + static_cast<Number>(split.block - 1);
}

Measure measure(const ProductCase& subject) {
  const bool is_given = subject.data.regime == Data::Regime::given;
  Measure result;
  std::vector<Number>& parts = result.parts;
  parts.push_back(static_cast<Number>(rank_count(subject.mesh)));
  parts.push_back(subject.mesh.axes.size());
  parts.push_back(static_cast<Number>(subject.i + subject.j + subject.k));
  parts.push_back(is_given ? 0 : 1);
  parts.push_back(cut_count(subject.a) + cut_count(subject.b) + cut_count(subject.c));
  Number cuts = 0;
  for (const Layout* layout : {&subject.a, &subject.b, &subject.c}) {
    cuts += weight(layout->rows) + weight(layout->columns);
  }
  parts.push_back(cuts);
  parts.push_back(unusual_names(subject.mesh));
  parts.push_back(weight(subject.dtypes));
  parts.push_back(static_cast<Number>(
      std::count_if(subject.algorithms.begin(), subject.algorithms.end(),
                    [](Algorithm algorithm) { return algorithm != Algorithm::ring; })));
  parts.push_back(subject.plan ? weight(*subject.plan) + 1 : 0);
  parts.push_back(subject.order == Order::declared ? 0 : 1);
  parts.push_back(subject.kernel == Kernel::fast ? 0 : 1);
  parts.push_back(static_cast<Number>(subject.fma));
  append_run(subject.run, parts);
  parts.push_back(static_cast<Number>(subject.data.regime));
  parts.push_back(subject.data.seed);
  for (const std::vector<Bits>& values : subject.data.given) {
    for (const Bits bits : values) {
      result.values.push_back(print_value(subject.dtypes.in, bits));
    }
  }
  return result;
}

bool is_smaller(const Measure& left, const Measure& right) {
  if (left.parts != right.parts) return left.parts < right.parts;
  return std::lexicographical_compare(left.values.begin(), left.values.end(), right.values.begin(),
                                      right.values.end(),
                                      [](const std::string& one, const std::string& other) {
                                        if (one.size() != other.size()) {
                                          return one.size() < other.size();
                                        }
                                        return one < other;
                                      });
}

}  // namespace shardcheck
