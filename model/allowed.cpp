#include "allowed.h"

#include <algorithm>

#include <shardcheck/model/case/text.h>

#include "exact/format.h"

namespace shardcheck::model {

bool allows(const Allowed& allowed, Dtype out, Bits got) {
  if (is_nan(out, got)) return allowed.nan;
  if (allowed.only_nan) return false;
  if (allowed.grade == Grade::any_order) {
    return std::find(allowed.set.begin(), allowed.set.end(), got) != allowed.set.end();
  }
  const std::uint64_t place = order_of(out, got);
  return order_of(out, allowed.low) <= place && place <= order_of(out, allowed.high);
}

std::string describe(const Allowed& allowed, Dtype out) {
  if (allowed.only_nan) return "nan";
  std::string text;
  if (allowed.grade == Grade::any_order) {
    for (const Bits bits : allowed.set) {
      text += (text.empty() ? "" : " or ") + print_value(out, bits);
    }
  } else if (allowed.low == allowed.high) {
    text = print_value(out, allowed.low);
  } else {
    text = "between " + print_value(out, allowed.low) + " and " + print_value(out, allowed.high);
  }
  return allowed.nan ? text + " or nan" : text;
}

}  // namespace shardcheck::model
