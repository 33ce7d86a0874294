#pragma once

/// From the judgements of all invariants to the verdict.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <shardcheck/model/case/observation.h>
#include <shardcheck/model/product/vacuity.h>
#include "verdict.h"

#include "judgement.h"

namespace shardcheck {

/// By Invariant.
using Judgements = std::array<Judgement, invariants.size()>;

inline Judgement& of(Judgements& judgements, Invariant invariant) {
  return judgements[static_cast<std::size_t>(invariant)];
}

/// No invariant is broken so far.
bool is_clean(const Judgements& judgements);

/// Moves outcomes and findings into the verdict and gives it its status: vacuous if nothing is
/// wrong, but the data promised to show every fault and couldn't have.
void conclude(Judgements& judgements, Ending ending, const model::Vacuity& vacuity,
              Verdict& verdict);

/// A broken contract names the case of this line from now on.
void remember_case(std::string line);

/// The model computes on this thread, which has to round to nearest and to keep subnormal numbers.
void require_float_environment();

/// 64 bits of a line, FNV-1a: choices that a case line makes. The low bits may have chosen the case
/// already.
std::uint64_t hash_of(std::string_view line);

}  // namespace shardcheck
