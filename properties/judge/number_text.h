#pragma once

/// How far apart two results are, how they look to a person who wants the bits, and counts.

#include <cstdint>
#include <string>
#include <string_view>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/element.h>

namespace shardcheck {

/// The same value: equal bits, or two NaNs.
bool is_same(Dtype dtype, Bits left, Bits right);

/// Steps from `from` to `to` in the dtype's order of values, positive upwards; −0 and +0 are one
/// step apart. Saturates at the ends of int64. Requires: neither is a NaN.
std::int64_t steps_between(Dtype dtype, Bits from, Bits to);

/// "22 (0x1.6p+4)" for floats, "22" for integers, NaNs and infinities.
std::string with_hex(Dtype dtype, Bits bits);

/// "1 element", "2 elements".
std::string counted(std::int64_t count, std::string_view what);

}  // namespace shardcheck
