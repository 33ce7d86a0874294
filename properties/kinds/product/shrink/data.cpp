#include <string>

#include <shardcheck/model/case/text.h>

#include "reductions.h"

namespace shardcheck {
namespace {

/// Value number n becomes 1 + n mod `distinct`. False if the dtype has no such value.
bool number_values(ProductCase& subject, std::int64_t distinct) {
  std::int64_t number = 0;
  for (std::vector<Bits>& values : subject.data.given) {
    for (Bits& each : values) {
      const auto bits = parse_value(subject.dtypes.in, std::to_string(1 + number++ % distinct));
      if (!bits) return false;
      each = *bits;
    }
  }
  return true;
}

}  // namespace

void reduce_sizes_and_values(const ProductCase& subject, std::vector<ProductCase>& candidates) {
  if (subject.data.regime != Data::Regime::given) return;
  for (const Axis axis : {Axis::k, Axis::i, Axis::j}) {
    const std::int64_t length = extent(subject, axis);
    if (length == 0) continue;
    // Every dtype holds 1 to 7, f8e5m2 with its three significant bits too.
    for (const std::int64_t distinct : {1, 7}) {
      ProductCase candidate = without(subject, axis, length - 1, 1);
      if (number_values(candidate, distinct)) candidates.push_back(std::move(candidate));
    }
  }
}

}  // namespace shardcheck
