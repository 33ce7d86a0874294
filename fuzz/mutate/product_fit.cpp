#include "product_fit.h"

#include <array>
#include <utility>
#include <vector>

#include <shardcheck/model/plan/rules.h>
#include <shardcheck/properties/generate/draw_setting.h>

#include "fit.h"

namespace shardcheck::fuzz {
namespace {

void fill(std::vector<Bits>& values, std::int64_t count) {
  const std::size_t known = values.size();
  values.resize(static_cast<std::size_t>(count));
  for (std::size_t place = known; place < values.size() && known > 0; ++place) {
    values[place] = values[place % known];
  }
}

}  // namespace

void fit_cuts(ProductCase& subject, Entropy& entropy) {
  struct Redrawn {
    Axis axis;
    Cut before;
    Split after;
  };
  std::vector<Redrawn> redrawn;
  const auto fit = [&](Cut& cut, Axis axis) {
    if (cut.over.empty()) {
      cut.split = Split{};
      return;
    }
    const std::int64_t parts = part_count(subject.mesh, cut.over);
    if (fits(cut.split, extent(subject, axis), parts)) return;
    for (const Redrawn& known : redrawn) {
      if (known.axis != axis || known.before != cut) continue;
      cut.split = known.after;
      return;
    }
    const Split split = draw_split(entropy, cut.split.rule, extent(subject, axis), parts);
    redrawn.push_back({axis, cut, split});
    cut.split = split;
  };
  const std::array<std::pair<Layout*, Tensor>, 3> layouts{
      {{&subject.a, Tensor::a}, {&subject.b, Tensor::b}, {&subject.c, Tensor::c}}};
  for (const auto& [layout, tensor] : layouts) {
    fit(layout->rows, axes_of(tensor)[0]);
    fit(layout->columns, axes_of(tensor)[1]);
  }
}

void fit_values(ProductCase& subject) {
  if (subject.data.regime != Data::Regime::given) {
    subject.data.given.clear();
    return;
  }
  subject.data.given.resize(2);
  fill(subject.data.given[0], subject.i * subject.k);
  fill(subject.data.given[1], subject.k * subject.j);
}

void fit_plan(ProductCase& subject) {
  if (subject.plan && !model::resolve(subject)) subject.plan.reset();
}

}  // namespace shardcheck::fuzz
