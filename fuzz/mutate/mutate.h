#pragma once

/// Cases near other cases: what a fuzzer needs, since bytes changed at random in a line hardly ever
/// leave a case. Every part of a case can change by itself, drawn as the generator draws it.

#include <optional>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/generate/entropy.h>

namespace shardcheck::fuzz {

/// `subject` with one to three of its parts changed, as its kind has them; now and then a case that
/// has nothing to do with it, but for its kind. Valid, within the bounds of case_input.h, and
/// another case than `subject`, except by chance.
Case mutate(const Case& subject, Entropy& entropy);

/// Mesh, sizes and layouts of one parent, dtypes and data of the other, the rest from either.
/// Valid, and within the bounds of case_input.h. Requires: both are of one kind; others have
/// nothing to exchange.
Case cross(const Case& first, const Case& second, Entropy& entropy);

/// The case as it reads once written, with its parts made to fit one another. Nothing if it isn't
/// valid all the same, or too much work.
std::optional<Case> fitted(Case subject, Entropy& entropy);

}  // namespace shardcheck::fuzz
