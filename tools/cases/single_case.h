#pragma once

/// The one case that `explain` and `plan` are about, with what the model says of it.

#include <memory>
#include <optional>
#include <string>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/expectation/expectation.h>

namespace shardcheck::tools {

struct SingleCase {
  Case subject;
  std::unique_ptr<model::Expectation> expectation;
};

/// Reads, parses and resolves. Nothing if the input was bad; then one line on standard error says
/// so.
std::optional<SingleCase> read_single_case(const std::string& what);

}  // namespace shardcheck::tools
