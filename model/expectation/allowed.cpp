#include "allowed.h"

#include <algorithm>
#include <utility>

#include <shardcheck/model/case/text.h>

#include <shardcheck/model/exact/format.h>

namespace shardcheck::model {

namespace {

/// More values than that are told as a range.
constexpr std::size_t values_listed_max = 8;

/// Some value of the one is in the other. Both ascend.
bool have_common_value(Dtype out, const std::vector<Bits>& x, const std::vector<Bits>& y) {
  auto a = x.begin();
  auto b = y.begin();
  while (a != x.end() && b != y.end()) {
    if (*a == *b) return true;
    if (order_of(out, *a) < order_of(out, *b)) {
      ++a;
    } else {
      ++b;
    }
  }
  return false;
}

bool is_set(const Allowed& allowed) { return allowed.grade == Grade::any_order; }

}  // namespace

Allowed one_result(Dtype out, Grade grade, Bits result) {
  const bool nan = is_nan(out, result);
  return {.grade = grade, .nan = nan, .only_nan = nan, .low = result, .high = result, .set = {}};
}

Allowed one_of(Dtype out, std::vector<Bits> results) {
  Allowed allowed{.grade = Grade::any_order, .set = {}};
  if (is_nan(out, results.back())) {
    allowed.nan = true;
    results.pop_back();
  }
  allowed.only_nan = results.empty();
  if (!results.empty()) {
    allowed.low = results.front();
    allowed.high = results.back();
  }
  allowed.set = std::move(results);
  return allowed;
}

bool are_disjoint(Dtype out, const Allowed& x, const Allowed& y) {
  if (x.nan && y.nan) return false;
  if (x.only_nan || y.only_nan) return true;
  if (order_of(out, x.high) < order_of(out, y.low)) return true;
  if (order_of(out, y.high) < order_of(out, x.low)) return true;
  if (is_set(x) && is_set(y)) return !have_common_value(out, x.set, y.set);
  if (!is_set(x) && !is_set(y)) return false;
  const Allowed& set = is_set(x) ? x : y;
  const Allowed& range = is_set(x) ? y : x;
  return std::none_of(set.set.begin(), set.set.end(),
                      [&](Bits value) { return allows(range, out, value); });
}

bool allows(const Allowed& allowed, Dtype out, Bits got) {
  if (is_nan(out, got)) return allowed.nan;
  if (allowed.only_nan) return false;
  const auto place = [out](Bits bits) { return order_of(out, bits); };
  if (is_set(allowed)) {
    const auto at = std::lower_bound(allowed.set.begin(), allowed.set.end(), place(got),
                                     [&](Bits x, std::uint64_t y) { return place(x) < y; });
    return at != allowed.set.end() && *at == got;
  }
  return place(allowed.low) <= place(got) && place(got) <= place(allowed.high);
}

std::string describe(const Allowed& allowed, Dtype out) {
  if (allowed.only_nan) return "nan";
  std::string text;
  if (is_set(allowed) && allowed.set.size() <= values_listed_max) {
    for (const Bits bits : allowed.set) {
      text += (text.empty() ? "" : " or ") + print_value(out, bits);
    }
  } else if (allowed.low == allowed.high) {
    text = print_value(out, allowed.low);
  } else {
    const std::string ends =
        "between " + print_value(out, allowed.low) + " and " + print_value(out, allowed.high);
    text = is_set(allowed) ? std::to_string(allowed.set.size()) + " values " + ends : ends;
  }
  return allowed.nan ? text + " or nan" : text;
}

}  // namespace shardcheck::model
