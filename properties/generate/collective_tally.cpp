#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "collective_cells.h"
#include "goals.h"
#include "tally_parts.h"

namespace shardcheck {
namespace {

constexpr std::array<std::string_view, 3> shape_names{"even", "uneven", "with empties"};
constexpr std::array<std::string_view, 4> run_names{"fibers", "pct", "trace", "threads"};

std::string alone(std::string_view what) { return fmt::format("{}{}", collectives_prefix, what); }

void count_calls(Tally& tally, const CallsCase& subject) {
  bool is_reducing = false;
  bool is_rooted = false;
  for (const Call& call : subject.calls) {
    add(tally, alone("collective"), name(call.collective));
    add(tally, alone("algorithm"),
        fmt::format("{} {}", name(call.collective), name(call.algorithm)));
    is_reducing |= reduces(call.collective);
    is_rooted |= has_root(call.collective);
  }
  for (const Cell& cell : cells_of(subject)) add(tally, std::string(reach_table), print(cell));
  add(tally, alone("calls"), std::to_string(subject.calls.size()));
  if (is_reducing) add(tally, alone("operator"), name(subject.op));
  if (is_rooted) add(tally, alone("root"), subject.root == 0 ? "member 0" : "another");
}

}  // namespace

void count(Tally& tally, const CallsCase& subject, const Verdict& verdict) {
  ++tally.cases;
  add(tally, "kind", "collective");
  count_calls(tally, subject);
  add(tally, alone("members"), std::to_string(member_count(subject)));
  add(tally, alone("groups"),
      member_count(subject) == rank_count(subject.mesh) ? "one" : "several");
  add(tally, alone("blocks"), shape_names[static_cast<std::size_t>(block_shape(subject))]);
  add(tally, alone("in"), info(subject.dtypes.in).name);
  add(tally, alone("placement"), subject.in_place ? "in place" : "out of place");
  add(tally, alone("order"), subject.order == Order::any ? "any" : "declared");
  add(tally, alone("data"), regimes[static_cast<std::size_t>(subject.data.regime)].name);
  add(tally, alone("run"), run_names[static_cast<std::size_t>(subject.run.kind)]);
  count_blindness(tally, collectives_prefix, subject.data.regime, verdict);
  count_verdict(tally, collectives_prefix, verdict);
}

}  // namespace shardcheck
