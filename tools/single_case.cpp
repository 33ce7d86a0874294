#include "single_case.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/case.h>

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
  std::optional<Case> subject = read_one_case(what);
  if (!subject) return {};
  if (auto* product = std::get_if<ProductCase>(&*subject))
    return resolved<SingleCase>(std::move(*product));
  return resolved<SingleCollective>(std::get<CallsCase>(std::move(*subject)));
}

}  // namespace shardcheck::tools
