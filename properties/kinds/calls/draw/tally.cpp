#include <string>
#include <string_view>

#include <fmt/format.h>

#include <shardcheck/properties/generate/tally_parts.h>

#include "cells.h"
#include "tally.h"

namespace shardcheck {
namespace {

std::string alone(std::string_view what) { return fmt::format("{}{}", calls_prefix, what); }

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

void count_own(Tally& tally, const CallsCase& subject) {
  count_calls(tally, subject);
  add(tally, alone("members"), std::to_string(member_count(subject)));
  add(tally, alone("groups"),
      member_count(subject) == rank_count(subject.mesh) ? "one" : "several");
  add(tally, alone("blocks"), name(block_shape(subject)));
  add(tally, alone("placement"), subject.in_place ? "in place" : "out of place");
}

}  // namespace shardcheck
