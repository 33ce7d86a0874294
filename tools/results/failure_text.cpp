#include "failure_text.h"

#include <fmt/format.h>

namespace shardcheck::tools {

std::string failure_text(const CaseFailure& failure) {
  std::string text;
  if (!failure.reason.empty()) text += fmt::format("  {}\n", failure.reason);
  if (failure.findings.empty()) return text;
  const Finding& first = failure.findings.front();
  const std::string where = first.rank < 0 ? "" : fmt::format("rank {}: ", first.rank);
  return text + fmt::format("  {}allowed {}, got {}{}{}\n", where, first.allowed, first.got,
                            first.evidence.empty() ? "" : "; ", first.evidence);
}

}  // namespace shardcheck::tools
