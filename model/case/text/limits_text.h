#pragma once

/// The limits on a case that its text alone tells (limits.h), checked before anything is allocated
/// in proportion to it.

#include <shardcheck/model/case/product_case.h>
#include "fields.h"

namespace shardcheck {

/// Requires: i, j and k are in place, each at most limits::elements_per_tensor.
Failure check_elements(const Fields& fields, const ProductCase& subject);

/// Requires: mesh, sizes, layouts and dtypes are in place, and no tensor is too large.
Failure check_bytes(const Fields& fields, ProductCase& subject);

}  // namespace shardcheck
