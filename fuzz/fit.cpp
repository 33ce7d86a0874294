#include "fit.h"

#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/plan_rules.h>
#include <shardcheck/properties/generate/generate_parts.h>

#include "case_input.h"

namespace shardcheck::fuzz {
namespace {

std::int64_t part_count(const Mesh& mesh, const Cut& cut) {
  std::int64_t count = 1;
  for (const int axis : cut.over) count *= mesh.axes[static_cast<std::size_t>(axis)].size;
  return count;
}

bool fits(const Split& split, std::int64_t extent, std::int64_t parts) {
  switch (split.rule) {
    case Split::Rule::balanced:
    case Split::Rule::ceil:
    case Split::Rule::cyclic: return true;
    case Split::Rule::sizes:
      return std::cmp_equal(split.sizes.size(), parts) &&
             std::accumulate(split.sizes.begin(), split.sizes.end(), std::int64_t{0}) == extent;
    case Split::Rule::sets: {
      std::size_t count = 0;
      for (const auto& set : split.sets) count += set.size();
      return std::cmp_equal(split.sets.size(), parts) && std::cmp_equal(count, extent);
    }
  }
  return true;
}

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
    const std::int64_t parts = part_count(subject.mesh, cut);
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

std::optional<ProductCase> fitted(ProductCase subject, Entropy& entropy) {
  if (why_not_run(subject)) return std::nullopt;
  fit_cuts(subject, entropy);
  fit_values(subject);
  if (subject.plan && !model::resolve(subject)) subject.plan.reset();
  auto read = parse_product(print(subject));
  if (!read) return std::nullopt;
  return *std::move(read);
}

}  // namespace shardcheck::fuzz
