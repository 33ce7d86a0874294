#include "single_case.h"

#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/any_case.h>

#include "case_source.h"

namespace shardcheck::tools {
namespace {

template <typename Single, typename Subject>
SingleCaseOfAnyKind resolved(Subject subject) {
  auto single = std::make_unique<Single>();
  single->subject = std::move(subject);
  auto expectation = model::expect(single->subject);
  if (!expectation) {
    fmt::print(stderr, "shardcheck: the case can't be meant: {}\n", expectation.error());
    return {};
  }
  single->expectation = std::move(*expectation);
  return single;
}

}  // namespace

SingleCaseOfAnyKind read_single_case(const std::string& what) {
  const auto sources = read_cases(what);
  if (!sources) {
    fmt::print(stderr, "shardcheck: {}\n", printable(sources.error()));
    return {};
  }
  if (sources->size() != 1) {
    fmt::print(stderr, "shardcheck: {}: found {} cases, expected one\n", what, sources->size());
    return {};
  }
  const SourcedCase& source = sources->front();
  auto subject = parse_any(source.text);
  if (!subject) {
    print_error(source, subject.error());
    return {};
  }
  if (auto* product = std::get_if<Case>(&*subject))
    return resolved<SingleCase>(std::move(*product));
  return resolved<SingleCollective>(std::get<CollectiveCase>(std::move(*subject)));
}

}  // namespace shardcheck::tools
