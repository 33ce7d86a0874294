#pragma once

/// A case of collectives and those that a relation makes of it, side by side.

#include <utility>
#include <vector>

#include <shardcheck/properties/judge/relating.h>

#include "related_case.h"

namespace shardcheck {

class CallsComparison final : public Comparison {
 public:
  CallsComparison(Relation relation, RelatedCalls related, const CallsEvidence& first);

  std::span<const Case> cases() const override { return cases_; }
  void compare(std::size_t index, const Evidence& second, const Verdict& alone) override;
  Judgement conclude() override;

 private:
  void compare_results(const RelatedCase& one, const CallsEvidence& second);

  Relation relation_;
  RelatedCalls related_;
  std::vector<Case> cases_;
  CallsEvidence first_;
  Judgement judgement_;
  BytesByPlace bytes_;
  bool has_bytes_ = true;
  bool is_run_ = true;
};

}  // namespace shardcheck
