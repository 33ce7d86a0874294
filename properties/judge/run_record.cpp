#include "run_record.h"

#include <algorithm>
#include <cfenv>
#include <exception>
#include <span>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/float_environment.h>

namespace shardcheck {

namespace {

/// The one place outside a runtime where exceptions are caught: a backend that breaks its promise
/// not to throw is a finding, not our end.
Observation observe(const Request& request, Backend& backend) {
  Observation observation;
  try {
    return backend.run(request);
  } catch (const std::exception& error) {
    observation.cause = error.what();
  } catch (...) {
    observation.cause = "an exception of an unknown type";
  }
  observation.ending = Ending::threw;
  return observation;
}

void record_outputs(const Arena& arena, Dtype out, RunRecord& run) {
  const std::span<const RankMemory> ranks = arena.ranks();
  run.bits.resize(ranks.size());
  run.untouched.resize(ranks.size());
  const auto width = static_cast<std::size_t>(info(out).bytes);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const std::size_t reported =
        rank < run.observation.owned.size() ? run.observation.owned[rank].size() : 0;
    const std::size_t count = std::min(reported, ranks[rank].c.size() / width);
    const auto number = static_cast<std::int64_t>(rank);
    run.bits[rank].resize(count);
    for (std::size_t index = 0; index < count; ++index) {
      const auto position = static_cast<std::int64_t>(index);
      run.bits[rank][index] = load(ranks[rank].c, out, position);
      if (arena.is_untouched(number, position)) run.untouched[rank].push_back(position);
    }
  }
}

void record_damage(const Arena& arena, RunRecord& run) {
  for (std::size_t index = 0; index < arena.ranks().size(); ++index) {
    const auto rank = static_cast<std::int64_t>(index);
    for (const Tensor tensor : {Tensor::a, Tensor::b}) {
      if (const auto changed = arena.changed_input(rank, tensor)) {
        run.damage.push_back({Damage::Kind::input_changed, rank, tensor, *changed});
      }
    }
    if (const auto guard = arena.damaged_guard(rank)) {
      run.damage.push_back({Damage::Kind::guard_overwritten, rank, guard->tensor, guard->distance});
    }
    // What a run that didn't finish has written so far is its own affair.
    if (run.observation.ending != Ending::finished) continue;
    const auto reported = static_cast<std::int64_t>(run.bits[index].size());
    if (const auto touched = arena.first_touched(rank, reported)) {
      run.damage.push_back({Damage::Kind::written_outside, rank, Tensor::c, *touched});
    }
  }
}

}  // namespace

RunRecord run_once(const Case& subject, const model::PlanState& start, Backend& backend,
                   Arena& arena, const RunOptions& options) {
  arena.fill(subject, start, options.salt);
  RunRecord run;
  std::fenv_t before;
  std::fegetenv(&before);
  run.observation = observe({subject, arena.ranks(), options.trace}, backend);
  run.float_problem = float_environment_problem();
  // The model computes on this thread, too.
  if (!run.float_problem.empty()) std::fesetenv(&before);
  record_outputs(arena, subject.dtypes.out, run);
  record_damage(arena, run);
  return run;
}

}  // namespace shardcheck
