#include <shardcheck/model/calls/meaning.h>
#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/inputs/calls_inputs.h>
#include <shardcheck/properties/generate/plainness.h>

#include "reductions.h"

namespace shardcheck {

std::int64_t value_count(const CallsCase& subject) {
  std::int64_t values = 0;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    values += input_elements(subject, rank);
  }
  return values;
}

CallsCase with_values_given(const CallsCase& subject) {
  CallsCase candidate = subject;
  const CollectiveInputs inputs(subject);
  const model::Meaning meaning(subject);
  candidate.data.regime = Data::Regime::given;
  candidate.data.seed = 0;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    std::vector<Bits>& values = candidate.data.given.emplace_back();
    const model::IndexList& positions = meaning.input(meaning.member_of(rank));
    for (std::size_t at = 0; at < positions.size(); ++at) {
      values.push_back(inputs.at(rank, static_cast<std::int64_t>(at), positions[at]));
    }
  }
  return candidate;
}

std::vector<DtypeCombination> plainer_call_dtypes(const DtypeCombination& now) {
  std::vector<DtypeCombination> plainer;
  for (const Dtype plain : dtypes_by_plainness) {
    for (const Dtype acc : {plain, info(plain).is_float ? Dtype::f32 : plain, now.acc}) {
      plainer.push_back({plain, acc, plain, plain});
    }
  }
  return plainer;
}

void reduce_choices(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  candidates.push_back(subject);
  candidates.back().root = 0;
  if (subject.root > 1) {
    candidates.push_back(subject);
    candidates.back().root = 1;
  }
  for (std::size_t op = 0; op < static_cast<std::size_t>(subject.op); ++op) {
    candidates.push_back(subject);
    candidates.back().op = static_cast<Operator>(op);
  }
  for (std::size_t call = 0; call < subject.calls.size(); ++call) {
    for (const Algorithm algorithm : algorithms_of(subject.calls[call].collective)) {
      candidates.push_back(subject);
      candidates.back().calls[call].algorithm = algorithm;
    }
  }
  candidates.push_back(subject);
  candidates.back().in_place = false;
}

}  // namespace shardcheck
