#include "find_failure.h"

#include <limits>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/judge/report.h>

#include "entropy.h"
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

Case case_number(std::uint64_t seed, std::int64_t number, const Restrictions& restrictions) {
  // Drawn, not added: SplitMix64 streams whose seeds differ by a multiple of its increment are the
  // same stream, shifted.
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t scrambled = SeededEntropy(seed).below(all);
  const std::uint64_t own =
      SeededEntropy(scrambled ^ static_cast<std::uint64_t>(number)).below(all);
  SeededEntropy entropy(own);
  return generate(entropy, restrictions);
}

SearchResult find_failure(Backend& backend, const Search& search) {
  SearchResult result;
  for (std::int64_t number = 0; number < search.cases; ++number) {
    const Case subject = case_number(search.seed, number, search.restrictions);
    const CheckOptions options{.repeat = number % 20 == 0,
                               .relating = number % 20 == 10 ? Relating::drawn : Relating::none};
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
