#include "number_text.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/exact/format.h>
#include <shardcheck/model/exact/native.h>

namespace shardcheck {

bool is_same(Dtype dtype, Bits left, Bits right) {
  return model::canonical(dtype, left) == model::canonical(dtype, right);
}

std::int64_t steps_between(Dtype dtype, Bits from, Bits to) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::uint64_t low = model::order_of(dtype, from);
  const std::uint64_t high = model::order_of(dtype, to);
  if (low <= high) return static_cast<std::int64_t>(std::min(high - low, most));
  return -static_cast<std::int64_t>(std::min(low - high, most));
}

std::string with_hex(Dtype dtype, Bits bits) {
  const std::string plain = print_value(dtype, bits);
  const bool is_finite = model::decode(dtype, bits).kind == model::Decoded::Kind::finite;
  if (!info(dtype).is_float || !is_finite) return plain;
  const std::string hex = fmt::format("{:a}", model::value_of(dtype, bits));
  return hex == plain ? plain : fmt::format("{} ({})", plain, hex);
}

std::string counted(std::int64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace shardcheck
