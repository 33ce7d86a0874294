#pragma once

/// The one case that `explain` and `plan` are about, with what the model says of it.

#include <memory>
#include <string>
#include <variant>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/collective/calls_expectation.h>
#include <shardcheck/model/expect.h>

namespace shardcheck::tools {

struct SingleCase {
  ProductCase subject;
  std::unique_ptr<model::Expectation> expectation;  ///< refers to `subject`
};

struct SingleCollective {
  CallsCase subject;
  std::unique_ptr<model::CollectiveExpectation> expectation;  ///< refers to `subject`
};

/// Nothing if the input was bad. On the heap, since an expectation refers to its case.
using SingleCaseOfAnyKind =
    std::variant<std::monostate, std::unique_ptr<SingleCase>, std::unique_ptr<SingleCollective>>;

/// Reads, parses and resolves; on bad input prints one line on standard error.
SingleCaseOfAnyKind read_single_case(const std::string& what);

}  // namespace shardcheck::tools
