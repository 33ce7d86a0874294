#include "case_number.h"

#include <limits>

#include <shardcheck/properties/judge/conclude.h>
#include <shardcheck/properties/kinds/product/tokens.h>

#include "draw.h"
#include "drawing.h"

namespace shardcheck {
namespace {

/// The seed of a case's own entropy. Drawn, not added: SplitMix64 streams whose seeds differ by a
/// multiple of its increment are the same stream, shifted.
std::uint64_t case_seed(std::uint64_t seed, std::int64_t number) {
  constexpr std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t scrambled = SeededEntropy(seed).below(all);
  return SeededEntropy(scrambled ^ static_cast<std::uint64_t>(number)).below(all);
}

}  // namespace

Case case_number(std::uint64_t seed, std::int64_t number, const Scopes& scopes) {
  SeededEntropy entropy(case_seed(seed, number));
  const bool wants_calls = chance(entropy, 30);
  const bool is_of_calls = scopes.calls && (wants_calls || !scopes.products);
  const Kind kind = is_of_calls ? Kind::calls : Kind::product;
  // One in five goes to the kind's corners in turn: by chance alone the last ones would take
  // millions of cases.
  constexpr std::int64_t steered_one_in = 5;
  const auto steer = drawing_of(kind).steer;
  if (steer != nullptr && number % steered_one_in == 0) {
    auto subject = steer(entropy, scopes, static_cast<std::uint64_t>(number / steered_one_in));
    if (subject) return *std::move(subject);
  }
  return generate(entropy, scopes, kind);
}

bool is_repeated(std::string_view line) { return hash_of(line) % 20 == 0; }

bool is_related(std::string_view line) { return hash_of(line) % 20 == 10; }

bool is_run_in_tokens(std::string_view line) { return hash_of(line) % 4 == 1; }

bool allows_tokens(const Restrictions& restrictions) {
  const auto scopes = scopes_of(restrictions);
  return scopes && scopes->products && allows(*scopes->products, token_dtypes);
}

}  // namespace shardcheck
