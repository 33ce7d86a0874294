#include <shardcheck/properties/generate/drawing.h>

#include <utility>

#include <shardcheck/properties/kinds/calls/shrink/reductions.h>
#include "calls.h"
#include "cells.h"
#include "tally.h"

namespace shardcheck {
namespace {

const CallsCase& calls(const Case& subject) { return std::get<CallsCase>(subject); }

void append(std::vector<CallsCase> all, std::vector<Case>& candidates) {
  for (CallsCase& one : all) candidates.emplace_back(std::move(one));
}

std::optional<std::string> contradiction(const Scopes& scopes) {
  if (is_for_some_dtype(*scopes.calls)) return std::nullopt;
  return "no legal case found that meets all restrictions together";
}

std::optional<Case> steer(Entropy& entropy, const Scopes& scopes, std::uint64_t turn) {
  auto subject = draw_in(cells()[turn % cells().size()], entropy, *scopes.calls);
  if (!subject) return std::nullopt;
  return *std::move(subject);
}

void reduce_sizes_of(const Case& subject, std::vector<Case>& candidates) {
  std::vector<CallsCase> all;
  reduce_mesh(calls(subject), all);
  reduce_sizes(calls(subject), all);
  append(std::move(all), candidates);
}

void reduce_choices_of(const Case& subject, std::vector<Case>& candidates) {
  std::vector<CallsCase> all;
  reduce_choices(calls(subject), all);
  append(std::move(all), candidates);
}

}  // namespace

const Drawing calls_drawing{
    .kind = Kind::calls,
    .plural = "collectives",
    .prefix = calls_prefix,
    .own_keys = calls_keys,
    .contradiction = contradiction,
    .draw_once = [](Entropy& entropy, const Scopes& scopes) -> Case {
      return draw_calls_case(entropy, *scopes.calls);
    },
    .is_met = [](const Scopes& scopes,
                 const Case& subject) { return allows(*scopes.calls, calls(subject)); },
    .steer = steer,
    .count_own = [](Tally& tally, const Case& subject,
                    const Verdict& /*verdict*/) { count_own(tally, calls(subject)); },
    .goals = calls_goals,
    .reduce_sizes = reduce_sizes_of,
    .reduce_choices = reduce_choices_of,
    .settle = [](Case& candidate) { return settle(std::get<CallsCase>(candidate)); },
    .is_legal = [](const Case& subject) { return is_served(calls(subject)); },
    .value_count = [](const Case& subject) { return value_count(calls(subject)); },
    .with_values_given = [](const Case& subject) -> Case {
      return with_values_given(calls(subject));
    },
    .plainer_dtypes = plainer_call_dtypes,
    .measure_own = [](const Case& subject) { return measure_own(calls(subject)); }};

}  // namespace shardcheck
