#pragma once

/// What every element of C may be, from the case, its data and its plan, and what it would be had
/// somebody got one contribution wrong (the question behind vacuity and behind a diagnosis).
///
///     Values values(subject, plan);
///     values.allowed(rank, coordinate)                       // as it must be
///     values.altered(rank, coordinate, {Alteration::Kind::drop_k, 7})

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/model/expectation/allowed.h>
#include <shardcheck/model/plan/rules.h>
#include "free_order.h"

namespace shardcheck::model {

/// One way of getting one contribution wrong. `index` is a k for the first three, else a rank.
struct Alteration {
  enum class Kind : std::uint8_t {
    drop_k,      ///< k is multiplied by nobody
    double_k,    ///< k is multiplied twice
    mispair_k,   ///< A's k meets B's k + 1, and A's k + 1 meets B's k
    drop_rank,   ///< the rank's partial is left out
    double_rank  ///< the rank's partial is added twice
  };

  Kind kind = Kind::drop_k;
  std::int64_t index = 0;

  bool operator==(const Alteration&) const = default;
};

/// "k = 7 is missing", "rank 2 counted twice".
std::string describe(const Alteration& alteration);

/// Any thread. Keeps references to the case and the plan.
class Values {
 public:
  Values(const ProductCase& subject, const ResolvedPlan& plan,
         LocalOrder local_order = LocalOrder::ascending, Grouping grouping = Grouping::planned);
  ~Values();

  /// The results allowed at coordinate i·J + j. Requires: the rank owns it, here and below.
  Allowed allowed(std::int64_t rank, std::int64_t coordinate) const;

  /// The same, had the alteration happened.
  Allowed altered(std::int64_t rank, std::int64_t coordinate, const Alteration& alteration) const;

  /// Whether the alteration leaves no result that is allowed without it. Where orders are free,
  /// false also where `additions_left`, counted down, is too little to tell.
  bool shows(std::int64_t rank, std::int64_t coordinate, const Alteration& alteration,
             std::int64_t& additions_left) const;

  /// The partial of one rank before any reduction, in dtype acc. Requires: the rank holds the
  /// coordinate once its local product is done.
  Bits partial(std::int64_t rank, std::int64_t coordinate) const;

  /// Whether the one result that the documented tree gives differs from the exact sum. False for
  /// integers, which wrap but don't round, and for a NaN or an infinity.
  bool is_rounded(std::int64_t rank, std::int64_t coordinate) const;

  /// Alterations that explain exactly this wrong result, likeliest first: single k, then ranks.
  std::vector<Alteration> suspects(std::int64_t rank, std::int64_t coordinate, Bits got) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shardcheck::model
