#include "clock.h"

#include <chrono>

namespace shardcheck::tools {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace shardcheck::tools
