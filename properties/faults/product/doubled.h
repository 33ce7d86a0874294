#pragma once

/// Operands that count twice.

#include <shardcheck/model/case/element.h>

namespace shardcheck {

/// Twice the value, exactly, where the format has room for it.
Bits doubled(Dtype dtype, Bits bits);

}  // namespace shardcheck
