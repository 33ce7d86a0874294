#include "related_case.h"

namespace shardcheck {

namespace {

/// Beyond this a second run with its values written out is no small thing any more.
constexpr std::int64_t elements_max = std::int64_t{1} << 16;
constexpr std::int64_t ranks_max = 256;

bool is_small(const ProductCase& subject) {
  return subject.i * subject.k <= elements_max && subject.k * subject.j <= elements_max &&
         subject.i * subject.j <= elements_max && rank_count(subject.mesh) <= ranks_max;
}

std::optional<Related> made(Relation relation, const ProductCase& subject,
                            const model::ResolvedPlan& plan) {
  switch (relation) {
    case Relation::scaling: return scaled(subject, plan);
    case Relation::transpose: return transposed(subject, plan);
    case Relation::joined_ranks: return with_ranks_joined(subject, plan);
    case Relation::appended_zeros: return with_zeros_appended(subject, plan);
    case Relation::appended_ranks: return with_ranks_appended(subject, plan);
    case Relation::relabelled_ranks: return with_ranks_relabelled(subject, plan);
    case Relation::reduce_then_gather: return reduced_then_gathered(subject, plan);
    case Relation::woven_apart: return woven_apart(subject, plan);
    case Relation::transposed_counts:
    case Relation::reduced_again:
    case Relation::zero_extended:
    case Relation::slices: break;  // of calls
  }
  return std::nullopt;
}

}  // namespace

std::optional<Related> relate(Relation relation, const ProductCase& subject,
                              const model::ResolvedPlan& plan) {
  if (!is_small(subject)) return std::nullopt;
  std::optional<Related> related = made(relation, subject, plan);
  // Recorded choices belong to the run that they were recorded from.
  if (related && related->subject.run.kind == Run::Kind::trace) related->subject.run = {};
  return related;
}

}  // namespace shardcheck
