#include "mutate.h"

#include <array>
#include <cstddef>
#include <utility>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/draw.h>

#include <shardcheck/fuzz/case_input.h>

#include "mutator.h"

namespace shardcheck::fuzz {
namespace {

/// Attempts at a valid case before a fresh one is drawn.
constexpr int attempts_max = 8;

/// The generator's cases are within the bounds; a test holds them to it.
Case fresh(const Mutator& mutator, Entropy& entropy) {
  while (true) {
    if (auto subject = fitted(mutator.drawn(entropy), entropy)) return *std::move(subject);
  }
}

void leave_recorded_schedule(Case& subject, Entropy& entropy) {
  Setting& all = setting(subject);
  if (all.run.kind == Run::Kind::trace) redraw_run(all, entropy);
}

}  // namespace

const Mutator& mutator_of(Kind kind) {
  static const std::array<const Mutator*, kinds.size()> rows{&product_mutator, &calls_mutator};
  return *rows[static_cast<std::size_t>(kind)];
}

void redraw_run(Setting& setting, Entropy& entropy) {
  setting.run = Run{};
  setting.run.seed = entropy.below(std::uint64_t{1} << 16);
  if (!chance(entropy, 40)) return;
  setting.run.kind = Run::Kind::pct;
  setting.run.depth = between(entropy, 1, 4);
}

std::optional<Case> fitted(Case subject, Entropy& entropy) {
  if (why_not_run(subject)) return std::nullopt;
  const Mutator& mutator = mutator_of(kind_of(subject));
  mutator.fit(subject, entropy);
  if (mutator.settle != nullptr) mutator.settle(subject);
  if (why_not_run(subject)) return std::nullopt;
  auto read = parse(print(subject));
  // Given values are of one shape alone: another one has those of a regime.
  if (Data& data = setting(subject).data; !read && data.regime == Data::Regime::given) {
    data.regime = Data::Regime::rounding;
    data.given.clear();
    read = parse(print(subject));
  }
  if (!read) return std::nullopt;
  return *std::move(read);
}

Case mutate(const Case& subject, Entropy& entropy) {
  const Mutator& mutator = mutator_of(kind_of(subject));
  for (int attempt = 0; attempt < attempts_max; ++attempt) {
    Case changed = subject;
    leave_recorded_schedule(changed, entropy);
    const std::size_t count = 1 + weighted(entropy, {60, 25, 15});
    for (std::size_t change = 0; change < count; ++change) {
      mutator.change(changed, entropy);
      // What there is to fit may grow with the square of the ranks.
      if (rank_count(setting(changed).mesh) > work::ranks) break;
      mutator.fit(changed, entropy);
    }
    auto valid = fitted(std::move(changed), entropy);
    if (valid && *valid != subject) return *std::move(valid);
  }
  return fresh(mutator, entropy);
}

Case cross(const Case& first, const Case& second, Entropy& entropy) {
  const bool is_swapped = chance(entropy, 50);
  Case child = mutator_of(kind_of(first))
                   .mixed(is_swapped ? second : first, is_swapped ? first : second, entropy);
  leave_recorded_schedule(child, entropy);
  auto valid = fitted(std::move(child), entropy);
  return valid ? *std::move(valid) : mutate(first, entropy);
}

}  // namespace shardcheck::fuzz
