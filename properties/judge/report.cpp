#include "report.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>

#include "judgement.h"

namespace shardcheck {

namespace {

/// Why nothing could go wrong in a trivial case.
std::string_view why_trivial(Kind kind) {
  switch (kind) {
    case Kind::product: return "nothing is contracted";
    case Kind::calls: return "nothing is returned";
  }
  return "";
}

}  // namespace

std::string print(const Case& subject, const Finding& finding) {
  std::string text = fmt::format("{}/{}", name(finding.invariant), finding.kind);
  if (finding.rank >= 0) text += fmt::format(" rank {}", finding.rank);
  if (finding.coordinate >= 0) {
    text += finding.rank >= 0 ? ", " : " ";
    text += element_name(subject, finding.coordinate);
  }
  text += fmt::format(": allowed {}, got {}", finding.allowed, finding.got);
  if (!finding.evidence.empty()) text += "; " + finding.evidence;
  return text;
}

std::string print(const Case& subject, const Verdict& verdict, std::string_view replay) {
  std::string text(status_names[static_cast<std::size_t>(verdict.status)]);
  if (const std::string signed_by = signature(verdict); !signed_by.empty()) {
    text += " " + signed_by;
  }
  if (verdict.is_trivial) text += fmt::format(" (trivial: {})", why_trivial(kind_of(subject)));
  if (!verdict.reason.empty()) text += ": " + verdict.reason;
  text += fmt::format("\n  case    {}\n", print(subject));
  if (!replay.empty()) text += fmt::format("  replay  {}\n", replay);
  if (!verdict.plan.empty()) {
    text += fmt::format("  plan    {}\n", print(setting(subject).mesh, verdict.plan));
  }
  const auto shown_max = static_cast<std::size_t>(limits::mismatches_printed);
  for (std::size_t index = 0; index < verdict.findings.size() && index < shown_max; ++index) {
    text += "  " + print(subject, verdict.findings[index]) + "\n";
  }
  const auto shown = static_cast<std::int64_t>(std::min(verdict.findings.size(), shown_max));
  if (verdict.finding_count > shown) {
    text += fmt::format("  and {} more\n", verdict.finding_count - shown);
  }
  return text;
}

}  // namespace shardcheck
