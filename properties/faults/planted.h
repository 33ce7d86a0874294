#pragma once

/// How a mistake is planted: a function stands between the harness and the correct backend, a
/// wrapper between a rank and its endpoint, or another function in the table of algorithms.
///
///     {"last_k_dropped", "...", "...", Invariant::coverage, planted(&last_k_dropped)}

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/backend.h>
#include <shardcheck/properties/judge/verdict.h>

namespace shardcheck {

/// Runs `inner` on the request, or on a request made from it, and alters what comes of it.
using Mistake = std::function<Observation(const Request& request, Backend& inner)>;

/// The same, of one kind alone, with the request's case.
using ProductMistake =
    std::function<Observation(const ProductCase&, const Request& request, Backend& inner)>;
using CallsMistake =
    std::function<Observation(const CallsCase&, const Request& request, Backend& inner)>;

/// What plants a mistake, and in which kinds of case it shows.
struct Planting {
  std::vector<Kind> kinds;
  /// A backend of its own each time, that serves these kinds.
  std::function<std::unique_ptr<Backend>()> make;
};

/// In every kind.
Planting planted(Mistake mistake);
Planting planted(impl::EndpointWrapper wrap);
/// Each backend has a mistake of its own, which may remember.
Planting planted_anew(std::function<Mistake()> mistake);

Planting planted(ProductMistake mistake);

Planting planted(CallsMistake mistake);
Planting planted_in_calls(impl::EndpointWrapper wrap);
/// Products have a table of their own.
Planting planted_table(const std::function<void(impl::CollectiveTable&)>& alter);

/// A row of a table of faults; see Fault.
struct PlantedFault {
  std::string_view name;
  std::string_view meaning;
  std::string_view origin;
  Invariant caught_by = Invariant::value;
  Planting planting;
};

}  // namespace shardcheck
