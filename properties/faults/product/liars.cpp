// Backends that do one thing and tell another. What they tell is right for the case, and fits
// together: only what follows from what they did can give them away, and here it is the order of
// sums. Where nothing rounds, nothing does (docs/invariants.md, "Beyond reach").

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "fault_tables.h"
#include "other_way.h"

namespace shardcheck {

namespace {

/// Does what `done` says; steps, k lists, ledger and temporaries are those of a run, elsewhere, of
/// what was asked.
Observation told_as_asked(const ProductCase& done, const Request& request, Backend& inner) {
  std::vector<RankMemory> elsewhere(request.ranks.begin(), request.ranks.end());
  std::vector<std::vector<std::byte>> outputs;
  for (RankMemory& rank : elsewhere) rank.output = outputs.emplace_back(rank.output.size());
  const Observation asked = inner.run({request.subject, elsewhere, request.trace});
  Observation observation = inner.run({done, request.ranks, request.trace});
  observation.steps = asked.steps;
  observation.products = asked.products;
  observation.ledger = asked.ledger;
  observation.temporary_bytes = asked.temporary_bytes;
  return observation;
}

Observation ledger_of_what_was_asked(const ProductCase& subject, const Request& request,
                                     Backend& inner) {
  return told_as_asked(with_other_algorithms(subject), request, inner);
}

Observation steps_of_what_was_asked(const ProductCase& subject, const Request& request,
                                    Backend& inner) {
  // Moving k before the product leaves one sum where there were sums of sums.
  constexpr std::array<std::string_view, 2> plans{"gather:A/x+gather:B/x+local",
                                                  "local+reduce_scatter+gather"};
  const auto other = with_another_plan(subject, plans);
  return other ? told_as_asked(*other, request, inner) : inner.run(request);
}

}  // namespace

std::vector<PlantedFault> liars() {
  return {
      {"ledger_of_what_was_asked",
       "partials travel by another algorithm, and the ledger is that of the one asked for",
       "a ledger made from a closed form, not from what is sent", Invariant::value,
       planted(&ledger_of_what_was_asked)},
      {"steps_of_what_was_asked", "another plan is carried out, and the one asked for is told",
       "steps made from the case, not from what is done", Invariant::value,
       planted(&steps_of_what_was_asked)},
  };
}

}  // namespace shardcheck
