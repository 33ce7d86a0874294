#include "values.h"

#include <array>
#include <cstdint>
#include <string_view>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/draw.h>

namespace shardcheck::fuzz {
namespace {

constexpr std::array<std::string_view, 9> specials{"0",    "-0",  "1", "-1", "inf",
                                                   "-inf", "nan", "2", "3"};

}  // namespace

void change_one_of(std::vector<Bits>& values, Dtype dtype, Entropy& entropy) {
  if (values.empty()) return;
  Bits& value = values[entropy.below(values.size())];
  const int width = 8 * info(dtype).bytes;
  const Bits mask = ~Bits{0} >> (64 - width);
  switch (weighted(entropy, {3, 3, 2, 3, 2})) {
    case 0: value = parse_value(dtype, pick(entropy, specials)).value_or(value); break;
    case 1: value = (value + (chance(entropy, 50) ? Bits{1} : mask)) & mask; break;
    case 2: value = pick(entropy, values); break;
    case 3: value ^= Bits{1} << entropy.below(static_cast<std::uint64_t>(width)); break;
    default:
      value =
          (entropy.below(std::uint64_t{1} << 32) << 32U | entropy.below(std::uint64_t{1} << 32)) &
          mask;
      break;
  }
}

Bits special_value(Dtype dtype, Entropy& entropy) {
  return parse_value(dtype, pick(entropy, specials)).value_or(1);
}

}  // namespace shardcheck::fuzz
