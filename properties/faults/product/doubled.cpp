#include "doubled.h"

#include <shardcheck/model/exact/format.h>

namespace shardcheck {

Bits doubled(Dtype dtype, Bits bits) {
  const auto width = static_cast<unsigned>(8 * info(dtype).bytes);
  const Bits mask = width == 64 ? ~Bits{0} : (Bits{1} << width) - 1;
  if (!info(dtype).is_float) return (bits << 1U) & mask;
  const auto significand = static_cast<unsigned>(model::float_format(dtype).precision - 1);
  const Bits sign = bits & (Bits{1} << (width - 1));
  const Bits magnitude = bits & ~sign;
  if (magnitude >> significand == 0) return sign | (magnitude << 1U);  // zero or subnormal
  return sign | (magnitude + (Bits{1} << significand));
}

}  // namespace shardcheck
