#include "verdict_json.h"

#include <array>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include <shardcheck/model/case/text.h>

namespace shardcheck::tools {
namespace {

using nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> outcome_names{"not_observed", "holds", "broken"};

}  // namespace

ordered_json findings_json(const std::vector<Finding>& findings) {
  ordered_json json = ordered_json::array();
  for (const Finding& finding : findings) {
    json.push_back({{"invariant", name(finding.invariant)},
                    {"kind", finding.kind},
                    {"rank", finding.rank},
                    {"coordinate", finding.coordinate},
                    {"allowed", finding.allowed},
                    {"got", finding.got},
                    {"evidence", finding.evidence}});
  }
  return json;
}

ordered_json verdict_json(const Case& subject, const Verdict& verdict) {
  ordered_json outcomes;
  for (std::size_t index = 0; index < invariants.size(); ++index) {
    outcomes[std::string(invariants[index].name)] =
        outcome_names[static_cast<std::size_t>(verdict.outcomes[index])];
  }
  ordered_json temporaries = ordered_json::array();
  for (const Temporaries& rank : verdict.temporaries) {
    temporaries.push_back({{"peak_bytes", rank.peak}, {"allowed_bytes", rank.allowed}});
  }
  return {{"case", print(subject)},
          {"status", status_names[static_cast<std::size_t>(verdict.status)]},
          {"signature", signature(verdict)},
          {"reason", verdict.reason},
          {"trivial", verdict.is_trivial},
          {"plan", print(setting(subject).mesh, verdict.plan)},
          {"invariants", outcomes},
          {"findings", findings_json(verdict.findings)},
          {"finding_count", verdict.finding_count},
          {"temporaries", temporaries}};
}

std::string json_text(const ordered_json& json) {
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace shardcheck::tools
