#include "judging.h"

#include <array>

namespace shardcheck {

const Judging& judging_of(Kind kind) {
  static constexpr std::array<const Judging*, kinds.size()> rows{&product_judging, &calls_judging};
  return *rows[static_cast<std::size_t>(kind)];
}

}  // namespace shardcheck
