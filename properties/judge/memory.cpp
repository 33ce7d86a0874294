#include <string>

#include <fmt/format.h>

#include "invariants.h"

namespace shardcheck {

namespace {

std::string byte_place(const Damage& damage) {
  const std::string_view tensor = name(damage.tensor);
  if (damage.index < 0)
    return fmt::format("{} bytes before the start of {}", -damage.index, tensor);
  return fmt::format("{} bytes past the end of {}", damage.index, tensor);
}

Finding found(const Evidence& evidence, const Damage& damage) {
  Finding finding{.invariant = Invariant::memory, .rank = damage.rank};
  switch (damage.kind) {
    case Damage::Kind::input_changed:
      finding.kind = "input_changed";
      finding.allowed = fmt::format("{} as it was", name(damage.tensor));
      finding.got = fmt::format("element {} of the shard changed", damage.index);
      break;
    case Damage::Kind::guard_overwritten:
      finding.kind = "guard_overwritten";
      finding.allowed = "nothing written outside a buffer";
      finding.got = "a byte written " + byte_place(damage);
      break;
    case Damage::Kind::written_outside:
      finding.kind = "written_outside";
      finding.allowed = "nothing written beyond the reported elements";
      finding.got = fmt::format("element {} of the output written, {} reported", damage.index,
                                evidence.run.bits[static_cast<std::size_t>(damage.rank)].size());
      break;
  }
  return finding;
}

}  // namespace

Judgement judge_memory(const Evidence& evidence, const Elements& elements) {
  Judgement judgement;
  observe(judgement);
  for (const Damage& damage : evidence.run.damage) add(judgement, found(evidence, damage));
  if (!evidence.run.float_problem.empty()) {
    add(judgement, {.invariant = Invariant::memory,
                    .kind = "float_mode_changed",
                    .allowed = "the caller's float environment as it was",
                    .got = std::string(evidence.run.float_problem)});
  }
  for (const Mismatch& mismatch : elements.mismatches) {
    if (!mismatch.is_untouched) continue;
    add(judgement, {.invariant = Invariant::memory,
                    .kind = "unwritten",
                    .rank = mismatch.rank,
                    .coordinate = mismatch.coordinate,
                    .allowed = model::describe(mismatch.allowed, evidence.subject.dtypes.out),
                    .got = "what stood there before the run",
                    .evidence = "the element was reported, but never written"});
  }
  return judgement;
}

}  // namespace shardcheck
