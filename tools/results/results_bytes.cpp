#include <nlohmann/json.hpp>

#include "results.h"

namespace shardcheck {

/// CBOR rather than JSON text between processes: an exception's text may hold any bytes, and those
/// travel unchecked.
static void to_json(nlohmann::json& json, const Finding& finding) {
  json =
      nlohmann::json::array({static_cast<int>(finding.invariant), finding.kind, finding.rank,
                             finding.coordinate, finding.allowed, finding.got, finding.evidence});
}

static void from_json(const nlohmann::json& json, Finding& finding) {
  finding.invariant = static_cast<Invariant>(json.at(0).get<int>());
  json.at(1).get_to(finding.kind);
  json.at(2).get_to(finding.rank);
  json.at(3).get_to(finding.coordinate);
  json.at(4).get_to(finding.allowed);
  json.at(5).get_to(finding.got);
  json.at(6).get_to(finding.evidence);
}

}  // namespace shardcheck

namespace shardcheck::tools {

static void to_json(nlohmann::json& json, const CaseFailure& failure) {
  json = nlohmann::json::array({failure.number, failure.line, static_cast<int>(failure.status),
                                failure.signature, failure.reason, failure.findings,
                                failure.finding_count, failure.fold, failure.is_from_tokens});
}

static void from_json(const nlohmann::json& json, CaseFailure& failure) {
  json.at(0).get_to(failure.number);
  json.at(1).get_to(failure.line);
  failure.status = static_cast<Status>(json.at(2).get<int>());
  json.at(3).get_to(failure.signature);
  json.at(4).get_to(failure.reason);
  json.at(5).get_to(failure.findings);
  json.at(6).get_to(failure.finding_count);
  json.at(7).get_to(failure.fold);
  json.at(8).get_to(failure.is_from_tokens);
}

static void to_json(nlohmann::json& json, const FoldedFailure& folded) {
  json = nlohmann::json::array({folded.first, folded.cases});
}

static void from_json(const nlohmann::json& json, FoldedFailure& folded) {
  json.at(0).get_to(folded.first);
  json.at(1).get_to(folded.cases);
}

std::string to_bytes(const Results& results) {
  const nlohmann::json json = nlohmann::json::array(
      {results.tally.cases, results.tally.counts, results.statuses, results.trivial,
       results.elements_by_grade, results.elements_rounded, results.outcomes, results.failures,
       results.temporaries.peak_bytes, results.temporaries.permille});
  std::string bytes;
  nlohmann::json::to_cbor(json, bytes);
  return bytes;
}

Results from_bytes(std::string_view bytes) {
  const nlohmann::json json = nlohmann::json::from_cbor(bytes.begin(), bytes.end());
  Results results;
  json.at(0).get_to(results.tally.cases);
  json.at(1).get_to(results.tally.counts);
  json.at(2).get_to(results.statuses);
  json.at(3).get_to(results.trivial);
  json.at(4).get_to(results.elements_by_grade);
  json.at(5).get_to(results.elements_rounded);
  json.at(6).get_to(results.outcomes);
  json.at(7).get_to(results.failures);
  json.at(8).get_to(results.temporaries.peak_bytes);
  json.at(9).get_to(results.temporaries.permille);
  return results;
}

}  // namespace shardcheck::tools
