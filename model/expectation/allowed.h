#pragma once

/// Which results are allowed for one element: never a tolerance, always a set.
///
/// The strongest grade that applies is used:
///   exact      integers, or floats whose every partial sum is representable in every format it
///              passes through, in every order: one result
///   declared   the order is promised: the documented tree is replayed: one result
///   any_order  an order is free and few sums are at stake: what some legal order gives
///   envelope   everything else: a proven bound on the distance from the exact result

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/element.h>

namespace shardcheck::model {

enum class Grade : std::uint8_t { exact, declared, any_order, envelope };

inline constexpr std::array<std::string_view, 4> grade_names{"exact", "declared", "any_order",
                                                             "envelope"};

/// `low` to `high`, both included, in the dtype's order of values (−0 before +0), or, for
/// any_order, the values of `set` alone, which ascends from `low` to `high`. NaN is allowed if
/// `nan`. exact and declared: low == high unless the one result is NaN, then nothing but NaN is
/// allowed.
struct Allowed {
  Grade grade = Grade::exact;
  bool nan = false;
  bool only_nan = false;
  Bits low = 0;
  Bits high = 0;
  std::vector<Bits> set;
};

/// Nothing but this result, NaN or not.
Allowed one_result(Dtype out, Grade grade, Bits result);

/// Any of these, by grade any_order. Requires: one or more, ascending, NaN last (any_order.h).
Allowed one_of(Dtype out, std::vector<Bits> results);

/// No result is allowed by both.
bool are_disjoint(Dtype out, const Allowed& x, const Allowed& y);

/// Any NaN pattern of the dtype is the same to it.
bool allows(const Allowed& allowed, Dtype out, Bits got);

/// "43", "nan", "42.5 or 43", "between 42.5 and 43", for a person; of many values how many there
/// are, the first and the last.
std::string describe(const Allowed& allowed, Dtype out);

}  // namespace shardcheck::model
