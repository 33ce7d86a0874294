#pragma once

/// A case of collectives and those that a relation makes of it, side by side.

#include "related_case.h"

namespace shardcheck {

/// Kinds of findings are the relation's name and what is wrong: `slices_bits`.
class CollectiveComparison {
 public:
  CollectiveComparison(CollectiveRelation relation, const CollectivesRelated& related,
                       const CollectiveEvidence& first)
      : relation_(relation), related_(related), first_(first) {}

  /// `second` is the evidence of related.cases[index], `alone` the verdict on it.
  void compare(std::size_t index, const CollectiveEvidence& second, const Verdict& alone);

  /// Once all of them are compared. Not observed if the backend doesn't run one of them.
  Judgement conclude();

 private:
  Finding finding(std::string_view what, const RelatedCollective& one) const;
  void compare_results(const RelatedCollective& one, const CollectiveEvidence& second);

  CollectiveRelation relation_;
  const CollectivesRelated& related_;
  const CollectiveEvidence& first_;
  Judgement judgement_;
  CollectiveBytes bytes_;
  bool has_bytes_ = true;
  bool is_run_ = true;
};

}  // namespace shardcheck
