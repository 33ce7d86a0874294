#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "fault_tables.h"
#include "staging_buffer.h"

namespace shardcheck {

namespace {

using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

/// In the order that a ledger has, entries of one place added up.
std::vector<Transfer> merged(const std::vector<Transfer>& transfers) {
  std::map<Place, Transfer> table;
  for (const Transfer& transfer : transfers) {
    Transfer& entry = table[{transfer.phase, transfer.source, transfer.destination}];
    entry.phase = transfer.phase;
    entry.source = transfer.source;
    entry.destination = transfer.destination;
    entry.bytes += transfer.bytes;
    entry.messages += transfer.messages;
  }
  std::vector<Transfer> result;
  for (const auto& [place, transfer] : table) result.push_back(transfer);
  return result;
}

/// Runs as it should, then keeps its books wrong.
Mistake in_the_books(void (*mistake)(const Setting&, Ledger&)) {
  return [mistake](const Request& request, Backend& inner) {
    Observation observation = inner.run(request);
    if (observation.ledger) {
      mistake(setting(request.subject), *observation.ledger);
      observation.ledger->sent = merged(observation.ledger->sent);
    }
    return observation;
  };
}

void add_receives(const Setting&, Ledger& ledger) {
  for (const Transfer& received : ledger.received) {
    ledger.sent.push_back(
        {received.phase, received.destination, received.source, received.bytes, received.messages});
  }
}

void charge_one_phase_early(const Setting&, Ledger& ledger) {
  for (Transfer& transfer : ledger.sent)
    transfer.phase = std::max<std::int64_t>(0, transfer.phase - 1);
}

void count_elements(const Setting& setting, Ledger& ledger) {
  for (Transfer& transfer : ledger.sent) transfer.bytes /= info(setting.dtypes.wire).bytes;
}

}  // namespace

std::vector<PlantedFault> ledger_faults() {
  return {
      {"receive_added_to_ledger", "a rank counts what it received as sent",
       "pmodels/mpich PR#2696: blocks counted on the wrong side", Invariant::ledger,
       planted(in_the_books(&add_receives))},
      {"phase_charged_early", "a phase's bytes are charged to the step before it",
       "class O: wrong phase charged", Invariant::ledger,
       planted(in_the_books(&charge_one_phase_early))},
      {"elements_for_bytes", "elements are counted instead of bytes", "class O: elements for bytes",
       Invariant::ledger, planted(in_the_books(&count_elements))},
      {"staging_buffer_of_fixed_size", "each rank stages messages in 16 MiB, whatever its shards",
       "class O: memory that doesn't shrink with the shards", Invariant::ledger,
       planted(wrapped<StagingBuffer>())},
  };
}

}  // namespace shardcheck
