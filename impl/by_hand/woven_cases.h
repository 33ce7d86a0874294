#pragma once

/// For tests: random cases whose plans begin with a schedule, and the same with the plain steps
/// that it stands for.

#include <vector>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/impl/by_hand/random_case.h>
#include <shardcheck/impl/plan/steps.h>

namespace shardcheck::impl {

/// A mesh of three axes, some of one rank; uneven and empty parts; other mesh axes that cut rows,
/// columns or k at the same time. After the schedule all_reduces and gathers make C whole, but that
/// the consumer may cut it over the mesh axis of a `local_scatter`. No data yet.
ProductCase draw_schedule_case(Draw& draw, Step::Kind kind);

/// Fills A and B with random elements of dtype in. Those of f32 and bf16 are finite, of about the
/// same size, and have all their bits.
void draw_data(Draw& draw, ProductCase& subject);

/// The plain steps that a schedule stands for.
std::vector<Step> plain_steps(const Step& schedule);

/// The case with its first step spelled out, and the algorithms that a schedule follows.
ProductCase spelled_out(const ProductCase& subject);

}  // namespace shardcheck::impl
