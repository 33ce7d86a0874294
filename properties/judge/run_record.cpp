#include "run_record.h"

#include <algorithm>
#include <cfenv>
#include <exception>
#include <span>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/float_environment.h>

namespace shardcheck {

namespace {

/// "A", as a person knows a buffer of a rank.
std::string_view buffer_name(const Arena& arena, const model::Expectation& expectation,
                             std::size_t number) {
  return number < arena.input_count() ? expectation.input_names()[number]
                                      : expectation.output_name();
}

void record_damage(const Arena& arena, const model::Expectation& expectation, RunRecord& run) {
  for (std::size_t index = 0; index < arena.ranks().size(); ++index) {
    const auto rank = static_cast<std::int64_t>(index);
    for (std::size_t number = 0; number < arena.input_count(); ++number) {
      if (const auto changed = arena.changed_input(index, number)) {
        run.damage.push_back(
            {Damage::Kind::input_changed, rank, buffer_name(arena, expectation, number), *changed});
      }
    }
    if (const auto guard = arena.damaged_guard(index)) {
      run.damage.push_back({Damage::Kind::guard_overwritten, rank,
                            buffer_name(arena, expectation, guard->buffer), guard->distance});
    }
    // What a run that didn't finish has written so far is its own affair.
    if (run.observation.ending != Ending::finished) continue;
    const auto reported = static_cast<std::int64_t>(run.bits[index].size());
    if (const auto touched = arena.first_touched(index, reported)) {
      run.damage.push_back(
          {Damage::Kind::written_outside, rank, expectation.output_name(), *touched});
    }
  }
}

void run_guarded(Backend& backend, const Request& request, RunRecord& run) {
  std::fenv_t before;
  std::fegetenv(&before);
  // The one place outside a runtime where exceptions are caught: a backend that breaks its promise
  // not to throw is a finding, not our end.
  try {
    run.observation = backend.run(request);
  } catch (const std::exception& error) {
    run.observation.ending = Ending::threw;
    run.observation.cause = error.what();
  } catch (...) {
    run.observation.ending = Ending::threw;
    run.observation.cause = "an exception of an unknown type";
  }
  run.float_problem = float_environment_problem();
  if (!run.float_problem.empty()) std::fesetenv(&before);
}

/// Takes down a rank's reported elements from its output.
void record_output(const Arena& arena, std::size_t rank, Dtype out, RunRecord& run) {
  const std::span<const std::byte> output = arena.ranks()[rank].output;
  const std::size_t reported =
      rank < run.observation.owned.size() ? run.observation.owned[rank].size() : 0;
  const std::size_t room = output.size() / static_cast<std::size_t>(info(out).bytes);
  std::vector<Bits>& bits = run.bits[rank];
  bits.resize(std::min(reported, room));
  for (std::size_t index = 0; index < bits.size(); ++index) {
    const auto position = static_cast<std::int64_t>(index);
    bits[index] = load(output, out, position);
    if (arena.is_untouched(rank, position)) run.untouched[rank].push_back(position);
  }
}

}  // namespace

RunRecord run_once(const Case& asked, const model::Expectation& expectation, Backend& backend,
                   Arena& arena, const RunOptions& options) {
  arena.fill(expectation, options.salt);
  RunRecord run;
  run_guarded(backend, {asked, arena.ranks(), options.trace}, run);
  run.bits.resize(arena.ranks().size());
  run.untouched.resize(arena.ranks().size());
  for (std::size_t rank = 0; rank < arena.ranks().size(); ++rank) {
    record_output(arena, rank, expectation.setting().dtypes.out, run);
  }
  record_damage(arena, expectation, run);
  return run;
}

}  // namespace shardcheck
