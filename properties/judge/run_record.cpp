#include "run_record.h"

#include <algorithm>
#include <cfenv>
#include <exception>
#include <span>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/float_environment.h>

namespace shardcheck {

namespace {

void record_damage(const Arena& arena, RunRecord& run) {
  for (std::size_t index = 0; index < arena.ranks().size(); ++index) {
    const auto rank = static_cast<std::int64_t>(index);
    for (const Tensor tensor : {Tensor::a, Tensor::b}) {
      if (const auto changed = arena.changed_input(rank, tensor)) {
        run.damage.push_back({Damage::Kind::input_changed, rank, name(tensor), *changed});
      }
    }
    if (const auto guard = arena.damaged_guard(rank)) {
      run.damage.push_back({Damage::Kind::guard_overwritten, rank,
                            name(static_cast<Tensor>(guard->buffer)), guard->distance});
    }
    // What a run that didn't finish has written so far is its own affair.
    if (run.observation.ending != Ending::finished) continue;
    const auto reported = static_cast<std::int64_t>(run.bits[index].size());
    if (const auto touched = arena.first_touched(rank, reported)) {
      run.damage.push_back({Damage::Kind::written_outside, rank, name(Tensor::c), *touched});
    }
  }
}

}  // namespace

void run_guarded(const std::function<Observation()>& run_backend, RunRecord& run) {
  std::fenv_t before;
  std::fegetenv(&before);
  // The one place outside a runtime where exceptions are caught: a backend that breaks its promise
  // not to throw is a finding, not our end.
  try {
    run.observation = run_backend();
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

void record_output(std::size_t rank, Dtype out, std::span<const std::byte> output,
                   const std::function<bool(std::int64_t)>& is_untouched, RunRecord& run) {
  const std::size_t reported =
      rank < run.observation.owned.size() ? run.observation.owned[rank].size() : 0;
  const std::size_t room = output.size() / static_cast<std::size_t>(info(out).bytes);
  std::vector<Bits>& bits = run.bits[rank];
  bits.resize(std::min(reported, room));
  for (std::size_t index = 0; index < bits.size(); ++index) {
    const auto position = static_cast<std::int64_t>(index);
    bits[index] = load(output, out, position);
    if (is_untouched(position)) run.untouched[rank].push_back(position);
  }
}

RunRecord run_once(const ProductCase& subject, const model::PlanState& start, Backend& backend,
                   Arena& arena, const RunOptions& options) {
  arena.fill(subject, start, options.salt);
  RunRecord run;
  const Request request{subject, arena.ranks(), options.trace};
  run_guarded([&] { return backend.run(request); }, run);
  run.bits.resize(arena.ranks().size());
  run.untouched.resize(arena.ranks().size());
  for (std::size_t index = 0; index < arena.ranks().size(); ++index) {
    const auto rank = static_cast<std::int64_t>(index);
    record_output(
        index, subject.dtypes.out, arena.ranks()[index].output,
        [&](std::int64_t position) { return arena.is_untouched(rank, position); }, run);
  }
  record_damage(arena, run);
  return run;
}

}  // namespace shardcheck
