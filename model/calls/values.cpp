#include "values.h"

#include <algorithm>
#include <optional>
#include <set>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/inputs/calls_inputs.h>
#include <shardcheck/model/exact/format.h>

#include "exact_result.h"
#include "free_reduction.h"
#include "reducer.h"

namespace shardcheck::model {
namespace {

/// Coordinates that a diagnosis tries as those whose value came instead.
constexpr std::size_t suspected_coordinates_max = 4096;

/// A value that all members hold who hold the position, and by which grade it is judged.
struct Common {
  Bits bits = 0;
  bool is_exact = true;
};

}  // namespace

struct CollectiveValues::State {
  const CallsCase& subject;
  const Meaning& meaning;
  CollectiveInputs inputs;
  std::unique_ptr<Reducer> reducer;
  /// Whether members end up with one value a position, as they do after every collective but
  /// all_to_all and permute.
  bool has_common = false;
  std::vector<Common> common;         ///< by group, by position; if has_common
  std::vector<Allowed> free_results;  ///< likewise; empty unless the order is free

  State(const CallsCase& of, const Meaning& by)
      : subject(of),
        meaning(by),
        inputs(of),
        reducer(make_reducer(of.dtypes, of.op)),
        has_common(leaves_common(of.calls.front().collective)) {
    if (!has_common) return;
    const auto groups = static_cast<std::int64_t>(meaning.groups().size());
    common.reserve(static_cast<std::size_t>(groups * subject.n));
    for (std::int64_t group = 0; group < groups; ++group) {
      for (std::int64_t p = 0; p < subject.n; ++p) common.push_back(value(group, p, nullptr));
    }
    if (has_free_order()) find_free_results();
  }

  static bool leaves_common(Collective collective) {
    return collective != Collective::all_to_all && collective != Collective::permute;
  }

  bool has_free_order() const {
    return subject.order == Order::any && reduces(subject.calls.front().collective) &&
           info(subject.dtypes.acc).is_float;
  }

  std::int64_t rank_of(std::int64_t group, std::int64_t member) const {
    return meaning.groups()[static_cast<std::size_t>(group)][static_cast<std::size_t>(member)];
  }

  /// What a member starts with at a position that it holds.
  Bits input(std::int64_t group, std::int64_t member, std::int64_t position) const {
    const Collective first = subject.calls.front().collective;
    const bool is_block = first == Collective::all_gather || first == Collective::gather;
    const std::int64_t index = is_block ? meaning.place_in_block(position) : position;
    return inputs.at(rank_of(group, member), index, position);
  }

  /// What the members hold at a position before a call that reduces, by member.
  std::vector<Bits> contributions(std::int64_t group, std::int64_t position,
                                  const std::optional<Common>& held) const {
    std::vector<Bits> result(static_cast<std::size_t>(meaning.member_count()));
    for (std::size_t m = 0; m < result.size(); ++m) {
      result[m] = held ? held->bits : input(group, static_cast<std::int64_t>(m), position);
    }
    return result;
  }

  ReductionTree tree_of(const Call& call, std::int64_t position) const {
    const std::int64_t members = meaning.member_count();
    std::int64_t b = 0;
    switch (call.collective) {
      case Collective::all_reduce:
        b = balanced_part(position, subject.n, all_reduce_blocks(call.algorithm, members));
        break;
      case Collective::reduce_scatter: b = meaning.block_of(position); break;
      default: b = subject.root;
    }
    return reduction_tree(call.collective, call.algorithm, members, b);
  }

  /// Of call `number`; `alteration` concerns it or is none.
  Common reduced(std::size_t number, std::int64_t group, std::int64_t position,
                 const std::optional<Common>& held, const CollectiveAlteration* alteration) const {
    const std::vector<Bits> brought = contributions(group, position, held);
    const bool is_exact = (!held || held->is_exact) && reducer->is_exact(brought);
    Miscount miscount;
    if (alteration != nullptr) {
      miscount.member = meaning.member_of(alteration->index);
      miscount.times = alteration->kind == CollectiveAlteration::Kind::drop_rank ? 0 : 2;
      if (alteration->kind == CollectiveAlteration::Kind::rank_alone) {
        return {brought[static_cast<std::size_t>(miscount.member)], is_exact};
      }
    }
    const ReductionTree tree = tree_of(subject.calls[number], position);
    return {reducer->reduce(tree, brought, miscount), is_exact};
  }

  /// Requires: has_common.
  Common value(std::int64_t group, std::int64_t position,
               const CollectiveAlteration* alteration) const {
    std::optional<Common> held;
    for (std::size_t number = 0; number < subject.calls.size(); ++number) {
      const Collective collective = subject.calls[number].collective;
      if (reduces(collective)) {
        const bool is_concerned = alteration != nullptr &&
                                  alteration->call == static_cast<std::int64_t>(number) &&
                                  meaning.group_of(alteration->index) == group;
        held = reduced(number, group, position, held, is_concerned ? alteration : nullptr);
      } else if (!held) {
        const bool has_blocks =
            collective == Collective::all_gather || collective == Collective::gather;
        const std::int64_t source = has_blocks ? meaning.block_of(position) : subject.root;
        held = Common{input(group, source, position), true};
      }
    }
    return *held;
  }

  void find_free_results() {
    const FreeReduction free(subject.dtypes, subject.op, meaning.member_count());
    for (std::size_t entry = 0; entry < common.size(); ++entry) {
      free_results.emplace_back();
      if (common[entry].is_exact) continue;
      const auto [group, position] = std::ldiv(static_cast<std::int64_t>(entry), subject.n);
      free_results[entry] = free.allowed(contributions(group, position, std::nullopt));
    }
  }

  std::size_t entry_of(std::int64_t group, std::int64_t position) const {
    return static_cast<std::size_t>(group * subject.n + position);
  }

  /// As the documented order gives it.
  Common declared(std::int64_t group, std::int64_t coordinate) const {
    const Origin origin = meaning.origin(coordinate);
    if (has_common) return common[entry_of(group, origin.position)];
    return {input(group, origin.source, origin.position), true};
  }

  Allowed graded(const Common& result) const {
    return one_result(subject.dtypes.out, result.is_exact ? Grade::exact : Grade::declared,
                      result.bits);
  }

  Allowed allowed(std::int64_t group, std::int64_t coordinate) const {
    const Common result = declared(group, coordinate);
    if (result.is_exact || free_results.empty()) return graded(result);
    return free_results[entry_of(group, meaning.origin(coordinate).position)];
  }

  /// Whether the alteration is of one call's contributions.
  static bool is_of_call(const CollectiveAlteration& alteration) {
    return alteration.kind != CollectiveAlteration::Kind::other_place &&
           alteration.kind != CollectiveAlteration::Kind::other_group;
  }

  Common altered_declared(std::int64_t rank, std::int64_t coordinate,
                          const CollectiveAlteration& alteration) const {
    const std::int64_t group = meaning.group_of(rank);
    switch (alteration.kind) {
      case CollectiveAlteration::Kind::other_place: return declared(group, alteration.index);
      case CollectiveAlteration::Kind::other_group:
        return declared(meaning.group_of(alteration.index), coordinate);
      case CollectiveAlteration::Kind::drop_rank:
      case CollectiveAlteration::Kind::double_rank:
      case CollectiveAlteration::Kind::rank_alone: break;
    }
    return value(group, meaning.origin(coordinate).position, &alteration);
  }

  Allowed altered(std::int64_t rank, std::int64_t coordinate,
                  const CollectiveAlteration& alteration) const {
    const std::int64_t group = meaning.group_of(rank);
    if (!is_of_call(alteration)) {
      const bool is_place = alteration.kind == CollectiveAlteration::Kind::other_place;
      return allowed(is_place ? group : meaning.group_of(alteration.index),
                     is_place ? alteration.index : coordinate);
    }
    const Common result = altered_declared(rank, coordinate, alteration);
    if (result.is_exact || free_results.empty() ||
        alteration.kind == CollectiveAlteration::Kind::rank_alone) {
      return graded(result);
    }
    if (meaning.group_of(alteration.index) != group) return allowed(group, coordinate);
    std::vector<Bits> brought = contributions(group, coordinate, std::nullopt);
    const auto member = brought.begin() + meaning.member_of(alteration.index);
    if (alteration.kind == CollectiveAlteration::Kind::drop_rank) {
      brought.erase(member);
    } else {
      const Bits twice = *member;
      brought.push_back(twice);
    }
    return FreeReduction(subject.dtypes, subject.op, meaning.member_count()).allowed(brought);
  }

  std::vector<CollectiveAlteration> candidates(std::int64_t rank, std::int64_t coordinate) const;
};

/// What a wrong value may be, likeliest first.
std::vector<CollectiveAlteration> CollectiveValues::State::candidates(
    std::int64_t rank, std::int64_t coordinate) const {
  using Kind = CollectiveAlteration::Kind;
  std::vector<CollectiveAlteration> result;
  const std::int64_t own_group = meaning.group_of(rank);
  for (std::size_t number = 0; number < subject.calls.size(); ++number) {
    if (!reduces(subject.calls[number].collective) || meaning.member_count() == 1) continue;
    for (const Kind kind : {Kind::drop_rank, Kind::double_rank, Kind::rank_alone}) {
      for (const std::int64_t other : meaning.groups()[static_cast<std::size_t>(own_group)]) {
        result.push_back({kind, static_cast<std::int64_t>(number), other});
      }
    }
  }
  std::set<std::int64_t> places;
  for (std::int64_t member = 0; member < meaning.member_count(); ++member) {
    for (const std::int64_t other : meaning.owned(member)) {
      if (places.size() == suspected_coordinates_max) break;
      places.insert(other);
    }
  }
  for (const std::int64_t other : places) {
    if (other != coordinate) result.push_back({Kind::other_place, 0, other});
  }
  for (const std::vector<std::int64_t>& group : meaning.groups()) {
    if (meaning.group_of(group.front()) == own_group) continue;
    result.push_back(
        {Kind::other_group, 0, group[static_cast<std::size_t>(meaning.member_of(rank))]});
  }
  return result;
}

std::string describe(const CollectiveAlteration& alteration) {
  const std::string index = std::to_string(alteration.index);
  const std::string in_call = " in call " + std::to_string(alteration.call);
  switch (alteration.kind) {
    case CollectiveAlteration::Kind::drop_rank: return "rank " + index + " is missing" + in_call;
    case CollectiveAlteration::Kind::double_rank:
      return "rank " + index + " counted twice" + in_call;
    case CollectiveAlteration::Kind::rank_alone:
      return "what rank " + index + " alone brings to call " + std::to_string(alteration.call);
    case CollectiveAlteration::Kind::other_place: return "the value of coordinate " + index;
    case CollectiveAlteration::Kind::other_group:
      return "the value of rank " + index + ", of another group";
  }
  return "";
}

CollectiveValues::CollectiveValues(const CallsCase& subject, const Meaning& meaning)
    : state_(std::make_unique<State>(subject, meaning)) {}

CollectiveValues::~CollectiveValues() = default;

Allowed CollectiveValues::allowed(std::int64_t rank, std::int64_t coordinate) const {
  return state_->allowed(state_->meaning.group_of(rank), coordinate);
}

Allowed CollectiveValues::altered(std::int64_t rank, std::int64_t coordinate,
                                  const CollectiveAlteration& alteration) const {
  return state_->altered(rank, coordinate, alteration);
}

bool CollectiveValues::is_rounded(std::int64_t rank, std::int64_t coordinate) const {
  const State& state = *state_;
  const std::vector<Call>& calls = state.subject.calls;
  if (calls.size() != 1 || !reduces(calls.front().collective)) return false;
  const std::int64_t group = state.meaning.group_of(rank);
  const std::int64_t position = state.meaning.origin(coordinate).position;
  return model::is_rounded(state.subject.dtypes, state.subject.op,
                           state.contributions(group, position, std::nullopt),
                           state.declared(group, coordinate).bits);
}

std::vector<CollectiveAlteration> CollectiveValues::suspects(std::int64_t rank,
                                                             std::int64_t coordinate,
                                                             Bits got) const {
  const State& state = *state_;
  const Dtype out = state.subject.dtypes.out;
  const Bits seen = canonical(out, got);
  std::vector<CollectiveAlteration> found;
  if (canonical(out, state.declared(state.meaning.group_of(rank), coordinate).bits) == seen) {
    return found;
  }
  for (const CollectiveAlteration& alteration : state.candidates(rank, coordinate)) {
    const Bits altered = state.altered_declared(rank, coordinate, alteration).bits;
    if (canonical(out, altered) == seen) found.push_back(alteration);
  }
  return found;
}

}  // namespace shardcheck::model
