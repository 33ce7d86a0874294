#include <algorithm>
#include <set>

#include <shardcheck/model/case/dtype_rules.h>

#include "tally.h"

namespace shardcheck {
namespace {

const Keys dtype_keys{"in", "acc", "wire", "out"};
const Keys shape_keys{"mesh", "ranks", "i", "j", "k", "split.i", "split.j", "split.k", "plan"};
/// What can keep every value exact, or a plan from holding a collective.
const Keys value_keys{"in", "acc", "wire", "out",  "mesh", "ranks", "i",
                      "j",  "k",   "plan", "data", "fma",  "order"};
const Keys nothing{};
/// An algorithm may be named for one collective alone, and the plan or the mesh may keep any
/// collective out; what is asked of collectives is asked of free runs only.
const Keys collective_keys{"mesh",
                           "ranks",
                           "i",
                           "j",
                           "k",
                           "split.i",
                           "split.j",
                           "split.k",
                           "plan",
                           "algorithm.all_reduce",
                           "algorithm.reduce_scatter",
                           "algorithm.all_gather"};

std::int64_t different_dtypes(Dtype DtypeCombination::*role) {
  std::set<Dtype> seen;
  for (const DtypeCombination& combination : legal_combinations()) seen.insert(combination.*role);
  return static_cast<std::int64_t>(seen.size());
}

void append_dtype_goals(std::vector<Goal>& goals) {
  const auto all = static_cast<std::int64_t>(legal_combinations().size());
  const std::vector<Goal> more{
      {"every in", "each dtype as the input", "in", "", different_dtypes(&DtypeCombination::in),
       1000, dtype_keys},
      {"every acc", "each dtype that may accumulate", "acc", "",
       different_dtypes(&DtypeCombination::acc), 1000, dtype_keys},
      {"every wire", "each dtype that a partial may travel in", "wire", "",
       different_dtypes(&DtypeCombination::wire), 1000, dtype_keys},
      {"every out", "each dtype as the result", "out", "", different_dtypes(&DtypeCombination::out),
       1000, dtype_keys},
      {"dtype combinations", "nearly all legal combinations of in, acc, wire and out", "dtypes", "",
       all * 9 / 10, 10000, dtype_keys},
      {"every dtype combination", "all legal combinations of in, acc, wire and out", "dtypes", "",
       all, 50000, dtype_keys},
  };
  goals.insert(goals.end(), more.begin(), more.end());
}

void append_shape_goals(std::vector<Goal>& goals) {
  const std::vector<Goal> more{
      {"every rank count", "1 to 16 ranks", "ranks", "", 16, 2000, shape_keys},
      {"every grid", "meshes of one, two and three axes", "mesh axes", "", 3, 1000, shape_keys},
      {"ranks no power of two", "rank counts such as 3, 6 or 7", "shape", "ranks no power of two",
       100, 1000, shape_keys},
      {"more ranks than k", "a k axis cut into more parts than it has elements", "shape",
       "more ranks than k", 50, 1000, shape_keys},
      {"empty parts", "a rank that holds nothing of a tensor", "shape", "empty part", 50, 1000,
       shape_keys},
      {"uneven parts", "parts of different sizes", "shape", "uneven parts", 100, 1000, shape_keys},
      {"nested cuts", "an axis cut over two mesh axes or more", "shape", "an axis cut twice", 50,
       1000, shape_keys},
      {"unaligned operands", "k cut differently in A and in B", "shape", "operands cut differently",
       50, 1000, shape_keys},
      {"nothing to sum", "K = 0", "shape", "nothing to sum", 5, 1000, shape_keys},
      {"no result", "a C with no element", "shape", "no result", 5, 1000, shape_keys},
      {"sizes of i", "0, 1, up to 4, up to 16, up to 40", "i", "", 5, 1000, shape_keys},
      {"sizes of j", "0, 1, up to 4, up to 16, up to 40", "j", "", 5, 1000, shape_keys},
      {"sizes of k", "0, 1, up to 4, up to 16, up to 40", "k", "", 5, 1000, shape_keys},
      {"cuts of i", "each of the five ways to cut", "split.i", "", 5, 1000, shape_keys},
      {"cuts of j", "each of the five ways to cut", "split.j", "", 5, 1000, shape_keys},
      {"cuts of k", "each of the five ways to cut", "split.k", "", 5, 1000, shape_keys},
      {"consumer of rows", "C divided by rows", "consumer", "rows", 50, 1000, shape_keys},
      {"consumer of columns", "C divided by columns", "consumer", "columns", 50, 1000, shape_keys},
      {"consumer of replicas", "C whole on every rank", "consumer", "replicas", 50, 1000,
       shape_keys},
      {"consumer of partials", "C left unreduced", "consumer", "partial", 50, 1000, shape_keys},
  };
  goals.insert(goals.end(), more.begin(), more.end());
}

void append_choice_goals(std::vector<Goal>& goals) {
  const std::vector<Goal> more{
      {"all_gather ring", "used by a plan", "collective", "all_gather ring", 20, 1000,
       collective_keys},
      {"all_gather direct", "used by a plan", "collective", "all_gather direct", 20, 1000,
       collective_keys},
      {"all_reduce ring", "used by a plan", "collective", "all_reduce ring", 20, 1000,
       collective_keys},
      {"all_reduce direct", "used by a plan", "collective", "all_reduce direct", 20, 1000,
       collective_keys},
      {"reduce_scatter ring", "used by a plan", "collective", "reduce_scatter ring", 20, 1000,
       collective_keys},
      {"reduce_scatter direct", "used by a plan", "collective", "reduce_scatter direct", 20, 1000,
       collective_keys},
      {"every step", "each way to move A, B and C, both reductions, each woven step", "step", "",
       17, 2000, shape_keys},
      {"gather_local:A", "a woven step that sends", "woven step", "gather_local:A", 5, 2000,
       shape_keys},
      {"gather_local:B", "a woven step that sends", "woven step", "gather_local:B", 5, 2000,
       shape_keys},
      {"local_scatter", "a woven step that sends", "woven step", "local_scatter:C", 5, 2000,
       shape_keys},
      {"summa", "a woven step that sends", "woven step", "summa", 5, 2000, shape_keys},
      {"cannon", "a woven step that sends", "woven step", "cannon", 5, 2000, shape_keys},
      {"woven steps among others", "a woven step after or before other steps", "woven step",
       "among other steps", 20, 2000, shape_keys},
      {"woven steps beside axes", "a woven step on a mesh with one axis more than it needs",
       "woven step", "beside another mesh axis", 20, 2000, shape_keys},
      {"plans given", "a plan spelled out by the case", "plan given", "yes", 100, 1000, {"plan"}},
      {"plans found", "a plan left to the planner", "plan given", "no", 100, 1000, {"plan"}},
      {"every regime", "all but given values", "data", "", 6, 1000, {"data"}},
      {"every order", "declared and any", "order", "", 2, 1000, {"order"}},
      {"every kernel", "ordered and fast", "kernel", "", 2, 1000, {"kernel"}},
      {"every fma", "no, yes and any", "fma", "", 3, 1000, {"fma"}},
      {"random schedules", "fibers under a random schedule", "run", "fibers", 100, 1000, {"run"}},
      {"priority schedules", "fibers under few priority changes", "run", "pct", 20, 1000, {"run"}},
      {"threads", "an OS thread a rank", "run", "threads", 10, 2000, {"run"}},
  };
  goals.insert(goals.end(), more.begin(), more.end());
}

void append_verdict_goals(std::vector<Goal>& goals) {
  const std::vector<Goal> more{
      {"exact elements", "one result whatever the order", "grade", "exact", 100, 1000, value_keys},
      {"declared elements", "the documented order replayed", "grade", "declared", 100, 1000,
       value_keys},
      {"any-order elements", "what some order gives", "grade", "any_order", 50, 1000, value_keys},
      {"values that rounded", "a result that isn't the exact sum", "shape", "a value that rounded",
       100, 1000, value_keys},
      {"liveness seen", "judged to hold", "invariant liveness", "holds", 100, 1000, nothing},
      {"memory seen", "judged to hold", "invariant memory", "holds", 100, 1000, nothing},
      {"plan seen", "judged to hold", "invariant plan", "holds", 100, 1000, nothing},
      {"coverage seen", "judged to hold", "invariant coverage", "holds", 100, 1000, nothing},
      {"ownership seen", "judged to hold", "invariant ownership", "holds", 100, 1000, nothing},
      {"ledger seen", "judged to hold", "invariant ledger", "holds", 100, 1000, nothing},
      {"determinism seen", "judged to hold", "invariant determinism", "holds", 50, 5000, nothing},
      {"value seen", "judged to hold", "invariant value", "holds", 100, 1000, nothing},
      {"metamorphic seen", "judged to hold", "invariant metamorphic", "holds", 50, 5000, nothing},
      {"every relation", "each that related cases are compared by", "relation", "",
       std::ranges::count_if(relations, &RelationInfo::is_of_products), 20000, value_keys},
  };
  goals.insert(goals.end(), more.begin(), more.end());
}

}  // namespace

std::vector<Goal> product_goals() {
  std::vector<Goal> goals;
  append_shape_goals(goals);
  append_dtype_goals(goals);
  append_choice_goals(goals);
  append_verdict_goals(goals);
  return goals;
}

}  // namespace shardcheck
