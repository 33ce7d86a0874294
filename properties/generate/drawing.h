#pragma once

/// What differs from kind to kind where cases are drawn, counted and made smaller: one row a kind.
/// What a row leaves out, the kind hasn't got.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/judge/verdict.h>

#include "entropy.h"
#include "goal.h"
#include "goals.h"
#include "key.h"
#include "measure.h"
#include "scope.h"

namespace shardcheck {

struct Drawing {
  Kind kind = Kind::product;
  std::string_view plural;  ///< of such cases, in a message
  /// Before the names of the kind's dimensions in a tally.
  std::string_view prefix;

  /// Keys of `--only` that the kind has beside the setting's.
  const std::vector<Key>& (*own_keys)() = nullptr;

  /// Why nothing can meet the scope, in one line, as far as that can be said without drawing.
  /// Requires, as all that takes scopes: the kind is left.
  std::optional<std::string> (*contradiction)(const Scopes& scopes) = nullptr;

  /// One draw. It may miss the scope, or be no legal case: `is_met` says so. Requires: no
  /// contradiction.
  Case (*draw_once)(Entropy& entropy, const Scopes& scopes) = nullptr;
  bool (*is_met)(const Scopes& scopes, const Case& subject) = nullptr;

  /// A draw towards the corner of the kind whose turn it is; nothing if there is none in the scope.
  std::optional<Case> (*steer)(Entropy& entropy, const Scopes& scopes,
                               std::uint64_t turn) = nullptr;

  /// The kind's own dimensions.
  void (*count_own)(Tally& tally, const Case& subject, const Verdict& verdict) = nullptr;
  std::vector<Goal> (*goals)() = nullptr;

  // Candidates are appended, the boldest first. They may be rough: `settle` makes whole what hangs
  // together, and what isn't smaller or legal is dropped.
  void (*reduce_sizes)(const Case& subject, std::vector<Case>& candidates) = nullptr;
  void (*reduce_choices)(const Case& subject, std::vector<Case>& candidates) = nullptr;
  /// The last resort; `bold` are those of reduce_sizes.
  void (*reduce_timidly)(const Case& subject, const std::vector<Case>& bold,
                         std::vector<Case>& candidates) = nullptr;
  bool (*settle)(Case& candidate) = nullptr;  ///< false: there is no such case
  bool (*is_legal)(const Case& subject) = nullptr;

  std::int64_t (*value_count)(const Case& subject) = nullptr;
  /// The values that its regime makes written out. Requires: not many values.
  Case (*with_values_given)(const Case& subject) = nullptr;
  /// Dtypes that are to be tried, the plainest first; those that aren't legal are dropped.
  std::vector<DtypeCombination> (*plainer_dtypes)(const DtypeCombination& now) = nullptr;

  OwnMeasure (*measure_own)(const Case& subject) = nullptr;
};

const Drawing& drawing_of(Kind kind);

/// A valid and legal case of that kind, drawn so that small and odd shapes are common. The same
/// entropy gives the same case on every machine. Nothing if the scope wasn't met in 2,000 draws.
std::optional<Case> draw(Entropy& entropy, const Scopes& scopes, Kind kind);

/// The same for scopes that scopes_of() gave: from the entropy, or at last from a fixed source.
Case generate(Entropy& entropy, const Scopes& scopes, Kind kind);

/// The rows.
extern const Drawing product_drawing;
extern const Drawing calls_drawing;

}  // namespace shardcheck
