#include "build_info.h"

#include <fmt/format.h>

namespace shardcheck::tools {

std::string build_info() {
#if defined(__SANITIZE_ADDRESS__)
  const char* const kind = "AddressSanitizer";
#elif defined(__SANITIZE_THREAD__)
  const char* const kind = "ThreadSanitizer";
#elif defined(NDEBUG)
  const char* const kind = "release";
#else
  const char* const kind = "debug";
#endif
#if defined(__clang__)
  const std::string compiler = fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  const std::string compiler = fmt::format("g++ {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
  return fmt::format("shardcheck {} ({}, {})", SHARDCHECK_VERSION, kind, compiler);
}

}  // namespace shardcheck::tools
