#include <string>

#include <fmt/format.h>

#include "invariants.h"
#include "number_text.h"

namespace shardcheck {

namespace {

std::string byte_place(const Damage& damage) {
  if (damage.index < 0) {
    return fmt::format("{} before the start of {}", counted(-damage.index, "byte"), damage.buffer);
  }
  return fmt::format("{} past the end of {}", counted(damage.index, "byte"), damage.buffer);
}

Finding found(const RunRecord& run, const Damage& damage) {
  Finding finding{.invariant = Invariant::memory, .rank = damage.rank};
  switch (damage.kind) {
    case Damage::Kind::input_changed:
      finding.kind = "input_changed";
      finding.allowed = fmt::format("{} as it was", damage.buffer);
      finding.got = fmt::format("element {} changed", damage.index);
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
                                run.bits[static_cast<std::size_t>(damage.rank)].size());
      break;
  }
  return finding;
}

}  // namespace

Judgement judge_memory(const RunRecord& run, const Elements& elements, Dtype out) {
  Judgement judgement;
  observe(judgement);
  for (const Damage& damage : run.damage) add(judgement, found(run, damage));
  if (!run.float_problem.empty()) {
    add(judgement, {.invariant = Invariant::memory,
                    .kind = "float_mode_changed",
                    .allowed = "the caller's float environment as it was",
                    .got = std::string(run.float_problem)});
  }
  for (const Mismatch& mismatch : elements.mismatches) {
    if (!mismatch.is_untouched) continue;
    add(judgement, {.invariant = Invariant::memory,
                    .kind = "unwritten",
                    .rank = mismatch.rank,
                    .coordinate = mismatch.coordinate,
                    .allowed = model::describe(mismatch.allowed, out),
                    .got = "what stood there before the run",
                    .evidence = "the element was reported, but never written"});
  }
  return judgement;
}

}  // namespace shardcheck
