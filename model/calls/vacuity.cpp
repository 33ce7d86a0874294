#include "vacuity.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <shardcheck/model/exact/format.h>

namespace shardcheck::model {
namespace {

/// Contributions or pieces asked about, spread evenly.
constexpr std::int64_t questions_max = 64;
/// Elements looked at before an alteration counts as blind.
constexpr std::int64_t elements_max = 512;

/// `count` numbers below `bound`, evenly spread; all of them if there are no more.
std::vector<std::int64_t> spread(std::int64_t bound, std::int64_t count) {
  std::vector<std::int64_t> numbers;
  const std::int64_t taken = std::min(bound, count);
  for (std::int64_t t = 0; t < taken; ++t) numbers.push_back(t * bound / taken);
  return numbers;
}

/// An element of a result as one of its owners has it.
struct Place {
  std::int64_t rank = 0;
  std::int64_t coordinate = 0;
};

/// Members of a group that own different lists: of those that own the same, one.
std::vector<std::int64_t> different_owners(const Meaning& meaning) {
  std::vector<std::int64_t> members;
  std::set<const IndexList*> lists;
  for (std::int64_t member = 0; member < meaning.member_count(); ++member) {
    if (lists.insert(&meaning.owned(member)).second) members.push_back(member);
  }
  return members;
}

/// The mistake as something supposed: "rank 2 were missing in call 0". Of the alterations these two
/// are asked about.
std::string supposed(const CollectiveAlteration& alteration) {
  const bool is_dropped = alteration.kind == CollectiveAlteration::Kind::drop_rank;
  return "rank " + std::to_string(alteration.index) +
         (is_dropped ? " were missing" : " counted twice") + " in call " +
         std::to_string(alteration.call);
}

bool is_idempotent(Operator op) {
  return op == Operator::min || op == Operator::max || op == Operator::bit_and ||
         op == Operator::bit_or;
}

struct Questions {
  const CallsCase& subject;
  const Meaning& meaning;
  const CollectiveValues& values;
  Vacuity& result;

  void answer(bool shown, const std::string& question) const {
    ++result.asked;
    if (shown) return;
    if (result.blind == 0) result.first_blind = "would pass even if " + question;
    ++result.blind;
  }

  std::vector<Place> places_of(std::int64_t group) const {
    std::vector<Place> places;
    for (const std::int64_t member : different_owners(meaning)) {
      const std::int64_t rank = rank_of(group, member);
      for (const std::int64_t coordinate : meaning.owned(member)) {
        places.push_back({rank, coordinate});
      }
    }
    return places;
  }

  std::int64_t rank_of(std::int64_t group, std::int64_t member) const {
    return meaning.groups()[static_cast<std::size_t>(group)][static_cast<std::size_t>(member)];
  }

  void ask_about_addends() const {
    std::map<std::int64_t, std::vector<Place>> places;  // by group
    for (std::size_t call = 0; call < subject.calls.size(); ++call) {
      if (!reduces(subject.calls[call].collective)) continue;
      for (const std::int64_t rank : spread(rank_count(subject.mesh), questions_max)) {
        const std::int64_t group = meaning.group_of(rank);
        if (places.count(group) == 0) places[group] = places_of(group);
        using Kind = CollectiveAlteration::Kind;
        const auto number = static_cast<std::int64_t>(call);
        ask({Kind::drop_rank, number, rank}, places[group]);
        if (!is_idempotent(subject.op)) ask({Kind::double_rank, number, rank}, places[group]);
      }
      // From here on all members bring the same, of which one is enough to such an operator.
      if (is_idempotent(subject.op)) return;
    }
  }

  /// Looks at elements side by side, beginning with the member's number: regimes that show a member
  /// at some positions alone do it by their remainders.
  void ask(const CollectiveAlteration& alteration, const std::vector<Place>& places) const {
    const auto count = static_cast<std::int64_t>(places.size());
    bool shown = false;
    for (std::int64_t t = 0; t < std::min(count, elements_max) && !shown; ++t) {
      const std::int64_t n = (meaning.member_of(alteration.index) + t) % count;
      const auto [rank, coordinate] = places[static_cast<std::size_t>(n)];
      shown = are_disjoint(subject.dtypes.out, values.allowed(rank, coordinate),
                           values.altered(rank, coordinate, alteration));
    }
    answer(shown, supposed(alteration));
  }

  /// What one member gets from one other, as far as it is looked at.
  struct Piece {
    std::string name;
    std::vector<Bits> elements;
  };

  std::int64_t source_of(std::int64_t coordinate) const {
    const Origin origin = meaning.origin(coordinate);
    if (origin.source >= 0) return origin.source;
    switch (subject.calls.front().collective) {
      case Collective::all_gather:
      case Collective::gather: return meaning.block_of(origin.position);
      default: return subject.root;
    }
  }

  std::vector<Piece> pieces_of(std::int64_t group) const {
    std::vector<Piece> pieces;
    for (const std::int64_t member : different_owners(meaning)) {
      const std::int64_t rank = rank_of(group, member);
      std::map<std::int64_t, std::vector<Bits>> by_source;
      for (const std::int64_t coordinate : meaning.owned(member)) {
        std::vector<Bits>& elements = by_source[source_of(coordinate)];
        if (static_cast<std::int64_t>(elements.size()) == elements_max) continue;
        elements.push_back(values.allowed(rank, coordinate).low);
      }
      for (auto& [source, elements] : by_source) {
        pieces.push_back({"what rank " + std::to_string(rank) + " gets from rank " +
                              std::to_string(rank_of(group, source)),
                          std::move(elements)});
      }
    }
    return pieces;
  }

  void ask_about_moves() const {
    const auto groups = static_cast<std::int64_t>(meaning.groups().size());
    for (const std::int64_t group : spread(groups, questions_max)) {
      const std::vector<Piece> pieces = pieces_of(group);
      for (const std::int64_t n : spread(static_cast<std::int64_t>(pieces.size()), questions_max)) {
        const auto index = static_cast<std::size_t>(n);
        const auto& [name, elements] = pieces[index];
        if (elements.size() > 1) {
          const bool differ = std::adjacent_find(elements.begin(), elements.end(),
                                                 std::not_equal_to<>()) != elements.end();
          answer(differ, name + " were shifted by one");
        }
        if (index + 1 == pieces.size()) continue;
        std::vector<Bits> in_order = elements;
        std::vector<Bits> swapped = pieces[index + 1].elements;
        in_order.insert(in_order.end(), swapped.begin(), swapped.end());
        swapped.insert(swapped.end(), elements.begin(), elements.end());
        answer(in_order != swapped, name + " and " + pieces[index + 1].name + " were swapped");
      }
    }
  }
};

}  // namespace

Vacuity vacuity(const CallsCase& subject, const Meaning& meaning, const CollectiveValues& values) {
  Vacuity result;
  result.gates = shows_every_fault(subject.data.regime);
  result.is_trivial = true;
  for (std::int64_t member = 0; member < meaning.member_count(); ++member) {
    if (!meaning.owned(member).empty()) result.is_trivial = false;
  }
  if (result.is_trivial) return result;
  const Questions questions{subject, meaning, values, result};
  const bool has_addends = meaning.member_count() > 1 &&
                           std::any_of(subject.calls.begin(), subject.calls.end(),
                                       [](const Call& call) { return reduces(call.collective); });
  if (has_addends) {
    questions.ask_about_addends();
  } else {
    questions.ask_about_moves();
  }
  return result;
}

}  // namespace shardcheck::model
