#include <shardcheck/model/case/calls_case.h>

#include "cells.h"
#include "tally.h"

namespace shardcheck {
namespace {

/// Any key that narrows a collective can keep another choice out.
const Keys narrowing{"collective", "algorithm", "op",       "in",    "acc",  "mesh", "ranks",
                     "n",          "split.n",   "in_place", "order", "data", "run"};

std::int64_t algorithms_in_all() {
  std::size_t count = 0;
  for (std::size_t c = 0; c < collective_names.size(); ++c) {
    count += algorithms_of(static_cast<Collective>(c)).size();
  }
  return static_cast<std::int64_t>(count);
}

}  // namespace

std::vector<Goal> calls_goals() {
  return {
      {"every collective", "each alone", "alone: collective", "",
       static_cast<std::int64_t>(collective_names.size()), 1000, narrowing},
      {"every algorithm", "each of every collective", "alone: algorithm", "", algorithms_in_all(),
       1000, narrowing},
      {"every operator", "each in a collective that reduces", "alone: operator", "",
       static_cast<std::int64_t>(operators.size()), 2000, narrowing},
      {"every group size", "1 to 17 members", "alone: members", "", 17, 2000, narrowing},
      {"every dtype alone", "each as the input of a collective", "alone: in", "",
       static_cast<std::int64_t>(dtypes.size()), 1000, narrowing},
      {"empty blocks", "a member that gets nothing", "alone: blocks", "with empties", 50, 1000,
       narrowing},
      {"uneven blocks", "blocks of different sizes", "alone: blocks", "uneven", 50, 1000,
       narrowing},
      {"in place", "input and output in one buffer", "alone: placement", "in place", 50, 1000,
       narrowing},
      {"other roots", "a root that isn't member 0", "alone: root", "another", 50, 1000, narrowing},
      {"several groups", "other groups at work at the same time", "alone: groups", "several", 50,
       1000, narrowing},
      {"sequences", "one to four collectives in a row", "alone: calls", "", 4, 1000, narrowing},
      {"collectives on threads", "an OS thread a rank", "alone: run", "threads", 50, 1000,
       narrowing},
      {"collectives, any order", "sums whose order is free", "alone: order", "any", 10, 1000,
       narrowing},
      {"collectives that rounded", "a result that isn't the exact one", "alone: shape",
       "a value that rounded", 50, 1000, narrowing},
      {"collectives, value seen", "judged to hold", "alone: invariant value", "holds", 500, 1000,
       narrowing},
      {"collectives, ledger seen", "judged to hold", "alone: invariant ledger", "holds", 500, 1000,
       narrowing},
      {"collectives, determinism seen", "judged to hold", "alone: invariant determinism", "holds",
       20, 2000, narrowing},
      {"collectives, metamorphic seen", "judged to hold", "alone: invariant metamorphic", "holds",
       20, 5000, narrowing},
      {"the reach table", "every algorithm, 1 to 17 members, every shape of block, both runtimes",
       "reach table", "", static_cast<std::int64_t>(cells().size()), 150000, narrowing},
  };
}

}  // namespace shardcheck
