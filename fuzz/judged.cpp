#include "judged.h"

#include <shardcheck/properties/judge/conclude.h>

namespace shardcheck::fuzz {

CheckOptions options_for(std::string_view line) {
  const std::uint64_t hash = hash_of(line) >> 32;
  return {.repeat = hash % 4 == 0,
          .tokens = hash % 4 == 2,
          .relating = hash % 4 == 1 ? Relating::drawn : Relating::none};
}

}  // namespace shardcheck::fuzz
