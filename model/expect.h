#pragma once

/// The model's one entry.

#include <memory>
#include <string>

#include <tl/expected.hpp>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/promises.h>

#include "expectation/expectation.h"

namespace shardcheck::model {

/// Why the case can't be meant: a plan that isn't legal, a layout that no plan reaches, an
/// algorithm that can't serve it. `promises`: what whoever runs it promises. The expectation has a
/// copy of the case.
tl::expected<std::unique_ptr<Expectation>, std::string> expect(const Case& subject,
                                                               const Promises& promises = {});

}  // namespace shardcheck::model
