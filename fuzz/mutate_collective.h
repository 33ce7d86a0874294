#pragma once

/// Cases of collectives near other cases of collectives; mutate.h says what for.

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/properties/generate/entropy.h>

namespace shardcheck::fuzz {

/// `subject` with one to three of its parts taken from another drawn case, or changed by a step:
/// the mesh, a size, the cut, a call, an algorithm, dtypes and operator, the root, the promise, the
/// placement, the data, one value, the schedule. Valid, and within the bounds of
/// case_input.h.
CallsCase mutate(const CallsCase& subject, Entropy& entropy);

/// Mesh, calls and sizes of one parent, dtypes, operator and data of the other, the rest from
/// either. Valid, and within the bounds of case_input.h.
CallsCase cross(const CallsCase& first, const CallsCase& second, Entropy& entropy);

}  // namespace shardcheck::fuzz
