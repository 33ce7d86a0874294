#include "find_failure.h"

#include <string>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

#include "case_number.h"
#include "shrink.h"

namespace shardcheck {
namespace {

bool is_failure(const Verdict& verdict) {
  switch (verdict.status) {
    case Status::fail:
    case Status::nondeterministic:
    case Status::timeout: return true;
    case Status::illegal:
    case Status::unsupported:
    case Status::vacuous:
    case Status::pass: return false;
  }
  return false;
}

Failure made_smaller(const Case& found, const Verdict& verdict, Backend& backend,
                     CheckOptions options, std::int64_t candidates_max) {
  // A smaller case would draw another relation.
  options.relation = relation_of(signature(verdict));
  options.relating = Relating::none;
  const auto fails_alike = [&](const Case& candidate) {
    return signature(check(candidate, backend, options)) == signature(verdict);
  };
  const Case smallest = minimise(found, fails_alike, candidates_max).subject;
  return {found, smallest, check(smallest, backend, options)};
}

}  // namespace

SearchResult find_failure(Backend& backend, const Search& search) {
  SearchResult result;
  for (std::int64_t number = 0; number < search.cases; ++number) {
    const Case subject = case_number(search.seed, number, search.restrictions);
    const std::string line = print(subject);
    const CheckOptions options{.repeat = is_repeated(line),
                               .relating = is_related(line) ? Relating::drawn : Relating::none};
    const Verdict verdict = check(subject, backend, options);
    ++result.tried;
    if (verdict.status == Status::pass) ++result.passed;
    if (verdict.status == Status::unsupported) ++result.unsupported;
    if (is_failure(verdict)) {
      result.failure = made_smaller(subject, verdict, backend, options, search.candidates_max);
      return result;
    }
  }
  return result;
}

std::string print(const Failure& failure) {
  return fmt::format("{}\n  found as: {}\n", print(failure.smallest, failure.verdict),
                     print(failure.found));
}

}  // namespace shardcheck
