#include "find_failure.h"

#include <string>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/conclude.h>
#include <shardcheck/properties/judge/relating.h>
#include <shardcheck/properties/judge/report.h>

#include "case_number.h"
#include "scope.h"
#include "shrink.h"

namespace shardcheck {
namespace {

Failure made_smaller(const Case& found, const Verdict& verdict, Backend& backend,
                     CheckOptions options, std::int64_t candidates_max) {
  // A smaller case would draw another relation.
  options.relation = relation_of(signature(verdict));
  options.relating = Relating::none;
  // A fault that the case's own data show is to stay one that they show.
  options.tokens = verdict.is_from_tokens;
  const auto fails_alike = [&](const Case& candidate) {
    return signature(check(candidate, backend, options)) == signature(verdict);
  };
  const Case smallest = minimise(found, fails_alike, candidates_max).subject;
  return {found, smallest, check(smallest, backend, options)};
}

Scopes scopes_for(const Backend& backend, const Restrictions& restrictions) {
  auto scopes = scopes_of(restrictions);
  SHARDCHECK_REQUIRE(scopes.has_value(), "restrictions are valid: " + scopes.error());
  bool leaves_any = false;
  for (const KindInfo& entry : kinds) {
    if (!backend.serves(entry.kind)) rule_out(*scopes, entry.kind);
    leaves_any |= leaves(*scopes, entry.kind);
  }
  SHARDCHECK_REQUIRE(leaves_any, "restrictions leave a kind of case that the backend serves");
  return *std::move(scopes);
}

}  // namespace

SearchResult find_failure(Backend& backend, const Search& search) {
  const Scopes scopes = scopes_for(backend, search.restrictions);
  const bool has_tokens = allows_tokens(search.restrictions);
  SearchResult result;
  for (std::int64_t number = 0; number < search.cases; ++number) {
    const Case subject = case_number(search.seed, number, scopes);
    const std::string line = print(subject);
    const CheckOptions options{.repeat = is_repeated(line),
                               .tokens = has_tokens && is_run_in_tokens(line),
                               .relating = is_related(line) ? Relating::drawn : Relating::none};
    const Verdict verdict = check(subject, backend, options);
    ++result.tried;
    if (verdict.status == Status::pass) ++result.passed;
    if (verdict.status == Status::unsupported) ++result.unsupported;
    if (verdict.status == Status::vacuous) ++result.vacuous;
    if (is_failure(verdict.status)) {
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
