#include "run.h"

namespace shardcheck {

namespace {

void record_damage(const CollectiveArena& arena, RunRecord& run) {
  for (std::size_t index = 0; index < arena.ranks().size(); ++index) {
    const auto rank = static_cast<std::int64_t>(index);
    if (const auto changed = arena.changed_input(index)) {
      run.damage.push_back({Damage::Kind::input_changed, rank, "the input", *changed});
    }
    if (const auto guard = arena.damaged_guard(index)) {
      run.damage.push_back({Damage::Kind::guard_overwritten, rank, arena.buffer_name(guard->buffer),
                            guard->distance});
    }
    // What a run that didn't finish has written so far is its own affair.
    if (run.observation.ending != Ending::finished) continue;
    const auto reported = static_cast<std::int64_t>(run.bits[index].size());
    if (const auto touched = arena.first_touched(index, reported)) {
      run.damage.push_back({Damage::Kind::written_outside, rank, "the output", *touched});
    }
  }
}

}  // namespace

RunRecord run_once(const CallsCase& asked, const model::CollectiveExpectation& expectation,
                   Backend& backend, CollectiveArena& arena, const RunOptions& options) {
  arena.fill(expectation, options.salt);
  RunRecord run;
  const Request request{asked, arena.ranks(), options.trace};
  run_guarded([&] { return backend.run(request); }, run);
  run.bits.resize(arena.ranks().size());
  run.untouched.resize(arena.ranks().size());
  for (std::size_t rank = 0; rank < arena.ranks().size(); ++rank) {
    record_output(
        rank, asked.dtypes.out, arena.ranks()[rank].output,
        [&](std::int64_t position) { return arena.is_untouched(rank, position); }, run);
  }
  record_damage(arena, run);
  return run;
}

}  // namespace shardcheck
