#pragma once

/// Could this data have shown a fault? Where a call reduces, each member's contribution to it
/// (sampled when there are many): were it left out, or, unless the operator is idempotent, counted
/// twice, some output must change. Where nothing reduces, what one member gets from one other: were
/// its elements shifted by one, or it and the next such piece swapped, some output must change.

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/expectation/vacuity.h>

#include "meaning.h"
#include "values.h"

namespace shardcheck::model {

Vacuity vacuity(const CallsCase& subject, const Meaning& meaning, const CollectiveValues& values);

}  // namespace shardcheck::model
