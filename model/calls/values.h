#pragma once

/// What every element of a result of collectives may be, from the case and its data, and what it
/// would be had somebody got one contribution wrong.
///
///     CollectiveValues values(subject, meaning);
///     values.allowed(rank, coordinate)              // as it must be
///     values.altered(rank, coordinate, {CollectiveAlteration::Kind::drop_rank, 0, 3})
///
/// Grades (allowed.h): exact where no order can make a difference, which is so of everything that
/// is moved, of integers, of min and max, and of floats whose partial results are all
/// representable; else declared, the algorithm's tree (tree.h), or, with order=any, whatever the
/// order can give.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/expectation/allowed.h>

#include "meaning.h"

namespace shardcheck::model {

/// One way of getting one element wrong.
struct CollectiveAlteration {
  enum class Kind : std::uint8_t {
    drop_rank,    ///< in call `call`, rank `index` is left out
    double_rank,  ///< in call `call`, rank `index` counts twice
    rank_alone,   ///< what rank `index` brings to call `call`, uncombined
    other_place,  ///< the value that belongs at coordinate `index`
    other_group   ///< the value that belongs to rank `index`, of another group
  };

  Kind kind = Kind::drop_rank;
  std::int64_t call = 0;
  std::int64_t index = 0;

  bool operator==(const CollectiveAlteration&) const = default;
};

/// "rank 3 is missing in call 0", "the value of coordinate 4".
std::string describe(const CollectiveAlteration& alteration);

/// Any thread. Keeps references to the case and its meaning.
class CollectiveValues {
 public:
  CollectiveValues(const CallsCase& subject, const Meaning& meaning);
  ~CollectiveValues();

  /// The results allowed at a coordinate. Requires: the rank owns it, here and below.
  Allowed allowed(std::int64_t rank, std::int64_t coordinate) const;

  /// The same, had the alteration happened. Requires: of drop_rank, double_rank and rank_alone,
  /// that the call reduces over two members or more; of the others, that the coordinate or the rank
  /// has such a value.
  Allowed altered(std::int64_t rank, std::int64_t coordinate,
                  const CollectiveAlteration& alteration) const;

  /// Whether the one result that the documented order gives differs from the exact one. Of a single
  /// call: false after several. See exact_result.h.
  bool is_rounded(std::int64_t rank, std::int64_t coordinate) const;

  /// Alterations that explain exactly this wrong result, likeliest first.
  std::vector<CollectiveAlteration> suspects(std::int64_t rank, std::int64_t coordinate,
                                             Bits got) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace shardcheck::model
