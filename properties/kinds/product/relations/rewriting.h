#pragma once

/// What the relations have in common when they rewrite a case: its plan looked at, its values
/// written out, its cuts spelled out part by part.

#include <cstdint>
#include <vector>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/plan/rules.h>

#include "related_case.h"

namespace shardcheck {

/// The case itself with its plan spelled out; every rank and phase its own, nothing claimed of
/// bytes or roundings.
Related unchanged(const ProductCase& subject, const model::ResolvedPlan& plan);

/// The values of A and B as `given` data, whatever they were.
Data given_values(const ProductCase& subject);

/// The cut as `sets`, part by part: the same lists on every rank. Requires: it is cut.
Split spelled_out(const Cut& cut, const Mesh& mesh, std::int64_t extent);

/// Member m of a mesh axis becomes member to[m] of `count`.
struct Renumbering {
  int mesh_axis = 0;
  std::vector<std::int64_t> to;
  std::int64_t count = 1;
};

/// The case over the renumbered mesh: members that become one hold what they held together, those
/// that nobody becomes hold nothing of what the axis cuts. Sets rank_of, too.
Related renumbered(const ProductCase& subject, const model::ResolvedPlan& plan,
                   const Renumbering& renumbering);

/// A step of the plan that sends something.
bool has_step(const ProductCase& subject, const Plan& plan, Step::Kind kind);

/// Whether the step is a reduce-scatter, gather or all-reduce, as `kind` says, by that algorithm.
bool is_by(const ProductCase& subject, const Step& step, Step::Kind kind, Algorithm algorithm);

bool has_exchange_of_c(const Plan& plan);

/// A reduce-scatter over a mesh axis over which the consumer doesn't cut C. It cuts the rows by
/// position in the list held, so that who gets what depends on the number of ranks and on which
/// axis of C is the rows.
bool has_cut_by_position(const ProductCase& subject, const Plan& plan);

/// Cannon's square has a side along the mesh axis, or parts of k that go by it, and asks for the
/// same parts on both sides: a change to that axis alone may leave no legal plan.
bool is_bound_to_a_square(const ProductCase& subject, const Plan& plan, int mesh_axis);

/// Number of ranks along the mesh axis.
std::int64_t size_of(const Mesh& mesh, int mesh_axis);

}  // namespace shardcheck
