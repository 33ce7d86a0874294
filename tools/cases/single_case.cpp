#include "single_case.h"

#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/expect.h>

#include "case_source.h"

namespace shardcheck::tools {

std::optional<SingleCase> read_single_case(const std::string& what) {
  std::optional<Case> subject = read_one_case(what);
  if (!subject) return std::nullopt;
  auto expectation = model::expect(*subject);
  if (!expectation) {
    fmt::print(stderr, "shardcheck: the case can't be meant: {}\n", expectation.error());
    return std::nullopt;
  }
  return SingleCase{std::move(*subject), std::move(*expectation)};
}

}  // namespace shardcheck::tools
