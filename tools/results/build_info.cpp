#include "build_info.h"

#include <array>
#include <cstring>

#include <fmt/format.h>

#include <shardcheck/model/case/float_environment.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace shardcheck::tools {
namespace {

std::string without_outer_spaces(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// As the processor names itself: the brand string of CPUID leaves 0x80000002 to 0x80000004.
std::string cpu_name() {
#if defined(__x86_64__)
  constexpr unsigned first_leaf = 0x80000002;
  constexpr unsigned leaf_count = 3;
  if (__get_cpuid_max(0x80000000, nullptr) >= first_leaf + leaf_count - 1) {
    std::array<char, 16 * leaf_count + 1> name{};
    for (unsigned leaf = 0; leaf < leaf_count; ++leaf) {
      std::array<unsigned, 4> part{};
      __get_cpuid(first_leaf + leaf, &part[0], &part[1], &part[2], &part[3]);
      std::memcpy(name.data() + 16 * leaf, part.data(), 16);
    }
    return without_outer_spaces(name.data());
  }
#endif
  return "unknown";
}

}  // namespace

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

std::vector<std::pair<std::string, std::string>> environment() {
  return {{"build", build_info()},
          {"flags", without_outer_spaces(SHARDCHECK_FLAGS)},
          {"cpu", cpu_name()},
          {"float mode", float_environment_text()}};
}

}  // namespace shardcheck::tools
