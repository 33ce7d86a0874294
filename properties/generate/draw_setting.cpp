#include "draw_setting.h"

#include <array>

#include "draw.h"

namespace shardcheck {

Data draw_data(Entropy& entropy, const SettingScope& scope, bool must_be_exact) {
  constexpr std::array drawn{Data::Regime::ints, Data::Regime::rounding, Data::Regime::probe,
                             Data::Regime::wide, Data::Regime::cancel,   Data::Regime::special};
  Data::Regime regime = drawn[weighted(entropy, {36, 38, 12, 5, 5, 4})];
  if (must_be_exact && shows_every_fault(regime)) regime = Data::Regime::ints;
  Data data;
  data.regime = scope.regime.value_or(regime);
  data.seed = entropy.below(std::uint64_t{1} << 20);
  return data;
}

Run draw_run(Entropy& entropy, const SettingScope& scope, const RunWeights& weights) {
  constexpr std::array drawn{Run::Kind::fibers, Run::Kind::pct, Run::Kind::threads};
  Run run;
  const Run::Kind kind = drawn[weighted(entropy, {weights.fibers, weights.pct, weights.threads})];
  run.kind = scope.run.value_or(kind);
  const std::uint64_t seed = entropy.below(std::uint64_t{1} << 16);
  switch (run.kind) {
    case Run::Kind::fibers: run.seed = seed; break;
    case Run::Kind::pct:
      run.seed = seed;
      run.depth = between(entropy, 1, 4);
      break;
    case Run::Kind::trace:
    case Run::Kind::threads: break;
  }
  return run;
}

}  // namespace shardcheck
