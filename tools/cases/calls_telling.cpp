#include <algorithm>

#include <fmt/format.h>

#include "telling.h"

namespace shardcheck::tools {
namespace {

/// The last call that reduces, or the last.
std::string reducer(const Case& subject, const Plan& /*taken*/) {
  const std::vector<Call>& calls = std::get<CallsCase>(subject).calls;
  const auto found = std::find_if(calls.rbegin(), calls.rend(),
                                  [](const Call& call) { return reduces(call.collective); });
  const Call& call = found == calls.rend() ? calls.back() : *found;
  return fmt::format("{} {}", name(call.collective), name(call.algorithm));
}

}  // namespace

const Telling calls_telling{.kind = Kind::calls, .reducer = reducer};

}  // namespace shardcheck::tools
