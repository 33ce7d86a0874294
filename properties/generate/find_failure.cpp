#include "find_failure.h"

#include <string>
#include <variant>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/case/contract.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

#include "case_number.h"
#include "collective_scope.h"
#include "collective_shrink.h"
#include "shrink.h"

namespace shardcheck {
namespace {

/// A smaller case would draw another relation.
void keep_relation(CheckOptions& options, const Verdict& verdict, const ProductCase&) {
  options.relation = relation_of(signature(verdict));
}
void keep_relation(CheckOptions& options, const Verdict& verdict, const CallsCase&) {
  options.collective_relation = collective_relation_of(signature(verdict));
}

template <typename Subject, typename AnyBackend>
FailureOf<Subject> made_smaller(const Subject& found, const Verdict& verdict, AnyBackend& backend,
                                CheckOptions options, std::int64_t candidates_max) {
  keep_relation(options, verdict, found);
  options.relating = Relating::none;
  // A fault that the case's own data show is to stay one that they show.
  options.tokens = verdict.is_from_tokens;
  const auto fails_alike = [&](const Subject& candidate) {
    return signature(check(candidate, backend, options)) == signature(verdict);
  };
  const Subject smallest = minimise(found, fails_alike, candidates_max).subject;
  return {found, smallest, check(smallest, backend, options)};
}

/// `drawn`: case number n. `has_tokens`: whether the restrictions leave runs in i64.
template <typename Subject, typename AnyBackend, typename Draw>
SearchResultOf<Subject> search_for_failure(AnyBackend& backend, const Search& search,
                                           bool has_tokens, const Draw& drawn) {
  SearchResultOf<Subject> result;
  for (std::int64_t number = 0; number < search.cases; ++number) {
    const Subject subject = drawn(number);
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

template <typename Subject>
std::string printed(const FailureOf<Subject>& failure) {
  return fmt::format("{}\n  found as: {}\n", print(failure.smallest, failure.verdict),
                     print(failure.found));
}

}  // namespace

SearchResult find_failure(Backend& backend, const Search& search) {
  const auto valid = validate(search.restrictions);
  SHARDCHECK_REQUIRE(valid.has_value(), "restrictions are valid: " + valid.error());
  return search_for_failure<ProductCase>(
      backend, search, allows_tokens(search.restrictions),
      [&](std::int64_t number) { return case_number(search.seed, number, search.restrictions); });
}

CollectiveSearchResult find_failure(Backend& backend, const Search& search) {
  Restrictions restrictions = search.restrictions;
  restrictions.only.emplace_back("kind", "collective");
  const auto scopes = scopes_of(restrictions);
  SHARDCHECK_REQUIRE(scopes.has_value(), "restrictions are valid: " + scopes.error());
  return search_for_failure<CallsCase>(backend, search, false, [&](std::int64_t number) {
    return std::get<CallsCase>(any_case_number(search.seed, number, *scopes));
  });
}

std::string print(const Failure& failure) { return printed(failure); }

std::string print(const CollectiveFailure& failure) { return printed(failure); }

}  // namespace shardcheck
