#include "telling.h"

#include <array>
#include <cstddef>

namespace shardcheck::tools {

const Telling& telling_of(Kind kind) {
  static const std::array<const Telling*, kinds.size()> rows{&product_telling, &calls_telling};
  return *rows[static_cast<std::size_t>(kind)];
}

}  // namespace shardcheck::tools
