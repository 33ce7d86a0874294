#pragma once

/// Damage to the harness's memory, for tables of more than one kind.

#include <shardcheck/model/case/backend.h>

namespace shardcheck {

/// One element more than was reported; where the output has no room for it, past its end.
Observation element_written_outside(const Request& request, Backend& inner);

/// A partial is added into the caller's operand: the first rank's that has one. What lies in the
/// output may change and stays as it is.
Observation input_changed(const Request& request, Backend& inner);

}  // namespace shardcheck
