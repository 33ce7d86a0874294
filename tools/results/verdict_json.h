#pragma once

/// Findings and verdicts as JSON, alike in every report.

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/judge/verdict.h>

namespace shardcheck::tools {

nlohmann::ordered_json findings_json(const std::vector<Finding>& findings);

/// Status, signature, reason, plan, outcomes by invariant, findings, temporary bytes by rank.
nlohmann::ordered_json verdict_json(const Case& subject, const Verdict& verdict);

/// What a backend says may be no UTF-8; a report with a replacement character beats none.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace shardcheck::tools
