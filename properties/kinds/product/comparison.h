#pragma once

/// Two products that a relation binds, side by side.

#include <shardcheck/properties/judge/relating.h>

#include "evidence.h"
#include "relations/related_case.h"

namespace shardcheck {

/// Requires: nothing is wrong with `first`, and its steps are those that `made` was made for.
class ProductComparison final : public Comparison {
 public:
  ProductComparison(Relation relation, Related made, const ProductEvidence& first)
      : relation_(relation), related_(std::move(made)), case_(related_.subject), first_(first) {}

  std::span<const Case> cases() const override { return {&case_, 1}; }
  void compare(std::size_t index, const Evidence& second, const Verdict& alone) override;
  Judgement conclude() override { return judgement_; }

 private:
  Relation relation_;
  Related related_;
  Case case_;
  ProductEvidence first_;
  Judgement judgement_;
};

}  // namespace shardcheck
