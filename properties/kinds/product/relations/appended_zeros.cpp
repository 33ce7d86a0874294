#include "rewriting.h"

namespace shardcheck {

namespace {

/// New k's go to the end of the last part. The last part of A's cut and of B's, whatever the order
/// of their mesh axes, is that of the ranks that come last on each: operands that fit still do.
void append_to_last_part(const Mesh& mesh, std::int64_t extent, std::int64_t count, Cut& cut) {
  if (cut.over.empty()) return;
  cut.split = spelled_out(cut, mesh, extent);
  for (std::int64_t k = extent; k < extent + count; ++k) cut.split.sets.back().push_back(k);
}

}  // namespace

/// All cuts stay as they were but for the new k's, so that every other product meets the same sum
/// in the same place, and +0 changes no sum: none is −0, for they start at +0. A fused product that
/// underflows is the exception. What moves A and B may have more to move; C is as it was.
std::optional<Related> with_zeros_appended(const ProductCase& subject,
                                           const model::ResolvedPlan& plan) {
  Related related = unchanged(subject, plan);
  ProductCase& target = related.subject;
  const std::int64_t count = 1 + subject.k % 3;
  append_to_last_part(subject.mesh, subject.k, count, target.a.columns);
  append_to_last_part(subject.mesh, subject.k, count, target.b.rows);
  target.k += count;
  const Data data = given_values(subject);
  std::vector<Bits> a;
  for (std::int64_t row = 0; row < subject.i; ++row) {
    const auto first = data.given[0].begin() + row * subject.k;
    a.insert(a.end(), first, first + subject.k);
    a.insert(a.end(), static_cast<std::size_t>(count), Bits{0});
  }
  std::vector<Bits> b = data.given[1];
  b.resize(static_cast<std::size_t>(target.k * subject.j), Bits{0});
  target.data = {Data::Regime::given, 0, {std::move(a), std::move(b)}};
  related.rounds_alike = subject.fma == Fma::no;
  for (std::size_t phase = 0; phase < plan.steps.size(); ++phase) {
    const Step& step = plan.steps[phase];
    const bool is_of_a_grid = step.kind == Step::Kind::summa || step.kind == Step::Kind::cannon;
    related.bytes[phase] = step.tensor == Tensor::c && !is_of_a_grid ? Related::Bytes::equal_by_pair
                                                                     : Related::Bytes::no_less;
  }
  return related;
}

}  // namespace shardcheck
