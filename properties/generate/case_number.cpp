#include "case_number.h"

#include <limits>

#include <shardcheck/properties/judge/conclude.h>
#include <shardcheck/properties/judge/tokens.h>

#include "collective_generate.h"
#include "draw.h"
#include "entropy.h"
#include "scope.h"

namespace shardcheck {

/// The seed of a case's own entropy. Drawn, not added: SplitMix64 streams whose seeds differ by a
/// multiple of its increment are the same stream, shifted.
static std::uint64_t case_seed(std::uint64_t seed, std::int64_t number) {
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t scrambled = SeededEntropy(seed).below(all);
  return SeededEntropy(scrambled ^ static_cast<std::uint64_t>(number)).below(all);
}

ProductCase case_number(std::uint64_t seed, std::int64_t number, const Restrictions& restrictions) {
  SeededEntropy entropy(case_seed(seed, number));
  return generate(entropy, restrictions);
}

Case any_case_number(std::uint64_t seed, std::int64_t number, const Scopes& scopes) {
  SeededEntropy entropy(case_seed(seed, number));
  const bool wants_collective = chance(entropy, 30);
  if (scopes.collectives && (wants_collective || !scopes.products)) {
    // One in five goes to the cells of the reach table in turn: by chance alone the last ones would
    // take millions of cases.
    constexpr std::int64_t steered_one_in = 5;
    if (number % steered_one_in != 0) return generate_collective(entropy, *scopes.collectives);
    const auto turn = static_cast<std::uint64_t>(number / steered_one_in);
    return generate_collective_in(cells()[turn % cells().size()], entropy, *scopes.collectives);
  }
  return generate(entropy, *scopes.products);
}

bool is_repeated(std::string_view line) { return hash_of(line) % 20 == 0; }

bool is_related(std::string_view line) { return hash_of(line) % 20 == 10; }

bool is_run_in_tokens(std::string_view line) { return hash_of(line) % 4 == 1; }

bool allows_tokens(const Restrictions& restrictions) {
  return allows(*scope_of(restrictions), token_dtypes);
}

}  // namespace shardcheck
