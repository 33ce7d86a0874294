#include <algorithm>

#include "reductions.h"

namespace shardcheck {
namespace {

using Number = std::uint64_t;

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

/// A woven step weighs more than the steps that it stands for, Cannon's more than SUMMA; half a
/// step more if its axes come in another order than the mesh has them in.
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

}  // namespace

OwnMeasure measure_own(const ProductCase& subject) {
  Number cuts = 0;
  for (const Layout* layout : {&subject.a, &subject.b, &subject.c}) {
    cuts += weight(layout->rows) + weight(layout->columns);
  }
  const auto unusual_algorithms = std::ranges::count_if(
      subject.algorithms, [](Algorithm algorithm) { return algorithm != Algorithm::ring; });
  return {.sizes = {static_cast<Number>(subject.i + subject.j + subject.k)},
          .shape = {cut_count(subject.a) + cut_count(subject.b) + cut_count(subject.c), cuts},
          .choices = {static_cast<Number>(unusual_algorithms),
                      subject.plan ? weight(*subject.plan) + 1 : 0,
                      subject.kernel == Kernel::fast ? Number{0} : Number{1},
                      static_cast<Number>(subject.fma)}};
}

}  // namespace shardcheck
