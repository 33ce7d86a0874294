#pragma once

/// The one case that `explain` and `plan` are about, with what the model says of it.

#include <memory>
#include <string>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/expect.h>

namespace shardcheck::tools {

struct SingleCase {
  Case subject;
  std::unique_ptr<model::Expectation> expectation;  ///< refers to `subject`
};

/// Reads, parses and resolves; on bad input prints one line on standard error and returns nothing.
/// On the heap, since the expectation refers to the case.
std::unique_ptr<SingleCase> read_single_case(const std::string& what);

}  // namespace shardcheck::tools
