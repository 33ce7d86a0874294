#include "measure.h"

#include <algorithm>

#include <shardcheck/model/case/text.h>

#include "drawing.h"
#include "plainness.h"

namespace shardcheck {
namespace {

using Number = std::uint64_t;

Number square(std::size_t value) { return static_cast<Number>(value) * value; }

Number weight(const DtypeCombination& dtypes) {
  Number total = 0;
  for (const Dtype dtype : {dtypes.in, dtypes.acc, dtypes.wire, dtypes.out}) {
    total += plainness(dtype);
  }
  return total;
}

void append(const std::vector<Number>& more, std::vector<Number>& parts) {
  parts.insert(parts.end(), more.begin(), more.end());
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

Measure measure(const Case& subject) {
  const Setting& common = setting(subject);
  const OwnMeasure own = drawing_of(kind_of(subject)).measure_own(subject);
  Measure result;
  std::vector<Number>& parts = result.parts;
  parts.push_back(static_cast<Number>(rank_count(common.mesh)));
  parts.push_back(common.mesh.axes.size());
  append(own.sizes, parts);
  parts.push_back(common.data.regime == Data::Regime::given ? 0 : 1);
  append(own.shape, parts);
  parts.push_back(unusual_names(common.mesh));
  parts.push_back(weight(common.dtypes));
  append(own.choices, parts);
  parts.push_back(common.order == Order::declared ? 0 : 1);
  append_run(common.run, parts);
  parts.push_back(static_cast<Number>(common.data.regime));
  parts.push_back(common.data.seed);
  for (const std::vector<Bits>& values : common.data.given) {
    for (const Bits bits : values) result.values.push_back(print_value(common.dtypes.in, bits));
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
