#pragma once

/// Sets of sums in the arithmetic of one accumulator: what any_order.h and local_sums.h compute
/// with. An empty set stands for one that is beyond the limits.

#include <cstdint>
#include <vector>

#include "any_order.h"
#include "distinct_values.h"

namespace shardcheck::model {

template <class Arithmetic>
class SumSets {
 public:
  using Value = typename Arithmetic::Value;
  using Set = std::vector<Value>;

  /// Keeps references to both.
  SumSets(const Arithmetic& arithmetic, SetLimits& limits)
      : arithmetic_(arithmetic), limits_(limits), distinct_(arithmetic) {}

  /// Adds x + y to what `taken` will give, for every x and y. False if the limit is reached.
  bool add_pairs(const Set& x, const Set& y) {
    if (!spend(static_cast<std::int64_t>(x.size() * y.size()))) return false;
    for (const Value a : x) {
      for (const Value b : y) distinct_.add(arithmetic_.add(a, b));
    }
    return true;
  }

  void add(Value value) { distinct_.add(value); }

  bool spend(std::int64_t additions) {
    limits_.additions_left -= additions;
    return limits_.additions_left >= 0;
  }

  /// What was added since; empty if it is too much.
  Set taken() {
    Set values = distinct_.take();
    if (static_cast<std::int64_t>(values.size()) > limits_.values_max) values.clear();
    return values;
  }

  /// What the values of a set may be as operands: as they are or rounded to wire.
  Set operands(Set values) {
    if (!arithmetic_.is_wire_narrower()) return values;
    for (const Value value : values) {
      distinct_.add(value);
      distinct_.add(arithmetic_.through_wire(value));
    }
    return taken();
  }

  Set from_patterns(const SumSet& patterns) const {
    Set values;
    values.reserve(patterns.size());
    for (const Bits bits : patterns) values.push_back(arithmetic_.from_acc(bits));
    return values;
  }

  SumSet patterns_of(const Set& values) const {
    SumSet patterns;
    patterns.reserve(values.size());
    for (const Value value : values) patterns.push_back(arithmetic_.to_acc(value));
    return patterns;
  }

 private:
  const Arithmetic& arithmetic_;
  SetLimits& limits_;
  DistinctValues<Arithmetic> distinct_;
};

/// Calls visit(left, right) for each way to part a set in two, given as bit masks, until it returns
/// false. Requires: two elements or more.
template <class Visit>
bool for_each_split(std::uint32_t mask, const Visit& visit) {
  const std::uint32_t least = mask & (~mask + 1);
  const std::uint32_t others = mask ^ least;
  for (std::uint32_t right = others; right != 0; right = (right - 1) & others) {
    if (!visit(mask ^ right, right)) return false;
  }
  return true;
}

}  // namespace shardcheck::model
