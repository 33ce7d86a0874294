#pragma once

/// One element of a reduction, replayed along its documented tree: typed by dtype acc inside,
/// patterns outside.
///
///     make_reducer(dtypes, Operator::sum)->reduce({Algorithm::ring, 2}, {1, 2, 4})

#include <cstdint>
#include <memory>
#include <span>

#include <shardcheck/model/case/calls_case.h>

#include "tree.h"

namespace shardcheck::model {

/// A member whose contribution counts another number of times than once: 0 or 2.
struct Miscount {
  std::int64_t member = -1;  ///< -1: there is none
  int times = 1;
};

/// Any thread.
class Reducer {
 public:
  virtual ~Reducer() = default;

  /// The result, dtype out. `contributions`: by member, dtype in.
  /// Requires: something is left of them.
  virtual Bits reduce(const ReductionTree& tree, std::span<const Bits> contributions,
                      const Miscount& miscount) const = 0;

  /// Whether every order gives the same result.
  virtual bool is_exact(std::span<const Bits> contributions) const = 0;
};

std::unique_ptr<Reducer> make_reducer(const DtypeCombination& dtypes, Operator op);

}  // namespace shardcheck::model
