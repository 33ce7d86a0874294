#include "single_case.h"

#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>

#include "case_source.h"

namespace shardcheck::tools {

std::unique_ptr<SingleCase> read_single_case(const std::string& what) {
  const auto sources = read_cases(what);
  if (!sources) {
    fmt::print(stderr, "shardcheck: {}\n", printable(sources.error()));
    return nullptr;
  }
  if (sources->size() != 1) {
    fmt::print(stderr, "shardcheck: {}: found {} cases, expected one\n", what, sources->size());
    return nullptr;
  }
  const SourcedCase& source = sources->front();
  auto subject = parse(source.text);
  if (!subject) {
    print_error(source, subject.error());
    return nullptr;
  }
  auto single = std::make_unique<SingleCase>();
  single->subject = std::move(*subject);
  auto expectation = model::expect(single->subject);
  if (!expectation) {
    fmt::print(stderr, "shardcheck: the case can't be meant: {}\n", expectation.error());
    return nullptr;
  }
  single->expectation = std::move(*expectation);
  return single;
}

}  // namespace shardcheck::tools
