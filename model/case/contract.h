#pragma once

/// SHARDCHECK_REQUIRE(condition, "why it must hold"): our own bug if it doesn't. On in every build,
/// prints the place and the case at work, then aborts, so that fuzzers and death tests see it.

#include <string_view>

namespace shardcheck {

/// Remembers the line of the case at work on this thread, for the message of a broken contract.
/// The text must live until the next call.
void set_case_at_work(std::string_view line);

[[noreturn]] void contract_broken(std::string_view condition, std::string_view why,
                                  std::string_view file, int line);

}  // namespace shardcheck

#define SHARDCHECK_REQUIRE(condition, why) \
  ((condition) ? static_cast<void>(0)      \
               : ::shardcheck::contract_broken(#condition, why, __FILE__, __LINE__))
