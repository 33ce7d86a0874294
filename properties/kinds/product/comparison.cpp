#include "comparison.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/number_bits.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/exact/format.h>

#include <shardcheck/properties/judge/bytes_by_place.h>
#include <shardcheck/properties/judge/number_text.h>

namespace shardcheck {

namespace {

/// What every comparison needs.
struct Pair {
  const ProductEvidence& first;
  const ProductEvidence& second;
  Relation relation;
  const Related& related;

  std::int64_t rank_of(std::int64_t rank) const {
    return related.rank_of[static_cast<std::size_t>(rank)];
  }

  std::int64_t coordinate_of(std::int64_t coordinate) const {
    if (!related.is_transposed) return coordinate;
    const std::int64_t row = coordinate / first.subject.j;
    const std::int64_t column = coordinate % first.subject.j;
    return column * first.subject.i + row;
  }

  Finding finding(std::string_view what) const {
    return related_finding(relation, what, related.subject);
  }
};

void compare_owners(const Pair& pair, Judgement& judgement) {
  const auto& first = pair.first.run.observation.owned;
  const auto& second = pair.second.run.observation.owned;
  std::map<std::int64_t, std::vector<std::int64_t>> expected;
  for (std::size_t rank = 0; rank < first.size(); ++rank) {
    auto& joined = expected[pair.rank_of(static_cast<std::int64_t>(rank))];
    for (const std::int64_t coordinate : first[rank]) {
      joined.push_back(pair.coordinate_of(coordinate));
    }
  }
  for (auto& [rank, coordinates] : expected) {
    std::ranges::sort(coordinates);
    coordinates.erase(std::ranges::unique(coordinates).begin(), coordinates.end());
    std::vector<std::int64_t> owned = second[static_cast<std::size_t>(rank)];
    std::ranges::sort(owned);
    if (owned == coordinates) continue;
    Finding finding = pair.finding("owned");
    finding.rank = rank;
    finding.allowed =
        fmt::format("the {} that it has in the case", counted(std::ssize(coordinates), "element"));
    finding.got = counted(std::ssize(owned), "element");
    add(judgement, std::move(finding));
  }
}

/// By phase of the first case, ranks as in the related case.
BytesByPlace bytes_of_first(const Pair& pair) {
  BytesByPlace bytes;
  for (const auto& [place, count] : tabulated(pair.first.run.observation.ledger->sent)) {
    const auto& [phase, source, destination] = place;
    bytes[{phase, pair.rank_of(source), pair.rank_of(destination)}] += count;
  }
  return bytes;
}

BytesByPlace bytes_of_second(const Pair& pair) {
  BytesByPlace bytes;
  for (const auto& [place, count] : tabulated(pair.second.run.observation.ledger->sent)) {
    const auto& [phase, source, destination] = place;
    bytes[{pair.related.phase_of[static_cast<std::size_t>(phase)], source, destination}] += count;
  }
  return bytes;
}

BytesByPlace of_phase(const BytesByPlace& bytes, std::int64_t phase) {
  return {bytes.lower_bound({phase, -1, -1}), bytes.lower_bound({phase + 1, -1, -1})};
}

std::int64_t total(const BytesByPlace& bytes) {
  std::int64_t sum = 0;
  for (const auto& entry : bytes) sum += entry.second;
  return sum;
}

void compare_phase(const Pair& pair, std::int64_t phase, const BytesByPlace& first,
                   const BytesByPlace& second, Judgement& judgement) {
  std::string_view demand;
  bool holds = true;
  switch (pair.related.bytes[static_cast<std::size_t>(phase)]) {
    case Related::Bytes::unrelated: return;
    case Related::Bytes::equal_by_pair:
      demand = "as many, between the same ranks";
      holds = first == second;
      break;
    case Related::Bytes::equal:
      demand = "as many";
      holds = total(first) == total(second);
      break;
    case Related::Bytes::no_less:
      demand = "no less";
      holds = total(first) <= total(second);
      break;
    case Related::Bytes::no_more:
      demand = "no more";
      holds = total(first) >= total(second);
      break;
  }
  if (holds) return;
  Finding finding = pair.finding("bytes");
  finding.allowed =
      fmt::format("{} {} the {} of phase {}", demand, demand.starts_with("as many") ? "as" : "than",
                  counted(total(first), "byte"), phase);
  finding.got = counted(total(second), "byte");
  add(judgement, std::move(finding));
}

void compare_ledgers(const Pair& pair, Judgement& judgement) {
  if (!pair.first.run.observation.ledger || !pair.second.run.observation.ledger) return;
  const BytesByPlace first = bytes_of_first(pair);
  const BytesByPlace second = bytes_of_second(pair);
  for (std::size_t index = 0; index < pair.related.bytes.size(); ++index) {
    const auto phase = static_cast<std::int64_t>(index);
    compare_phase(pair, phase, of_phase(first, phase), of_phase(second, phase), judgement);
  }
}

/// Whether bits of sums that round must agree: only an order that is declared, and promised, is the
/// same in both.
bool rounds_alike(const Pair& pair) {
  const ProductCase& subject = pair.first.subject;
  const Promises& promises = pair.first.promises;
  return pair.related.rounds_alike && subject.order == Order::declared && subject.fma != Fma::any &&
         promises.declared_order && promises.local_order;
}

/// Times a power of two. Nothing if that isn't a value: the relation has made sure that it is.
std::optional<Bits> scaled(Dtype dtype, Bits bits, int exponent) {
  if (exponent == 0 || model::is_nan(dtype, bits)) return bits;
  const FloatBits& f = float_bits(dtype);
  if (!is_finite(f, bits)) return bits;
  ExactNumber number = number_of(f, bits);
  if (number.significand != 0) number.exponent += exponent;
  return bits_of(dtype, number);
}

bool is_exact(const ProductEvidence& evidence, std::int64_t rank, std::int64_t coordinate) {
  const model::Allowed allowed = evidence.expectation.values.allowed(rank, coordinate);
  // Where no +0 need be added, a sum of nothing but −0 has two exact results.
  return allowed.grade == model::Grade::exact && allowed.low == allowed.high;
}

void compare_element(const Pair& pair, std::int64_t rank, std::int64_t coordinate, Bits before,
                     Bits after, Judgement& judgement) {
  const Dtype out = pair.first.subject.dtypes.out;
  const std::optional<Bits> expected = scaled(out, before, pair.related.exponent);
  if (expected && is_same(out, *expected, after)) return;
  Finding finding = pair.finding("bits");
  finding.rank = rank;
  finding.coordinate = coordinate;
  finding.allowed = fmt::format("{} goes with {}", with_hex(out, before),
                                expected ? with_hex(out, *expected) : "nothing");
  finding.got = fmt::format("{} on rank {}", with_hex(out, after), pair.rank_of(rank));
  add(judgement, std::move(finding));
}

void compare_elements(const Pair& pair, Judgement& judgement) {
  const bool all = rounds_alike(pair);
  const auto& first = pair.first.run.observation.owned;
  const ProductCase& subject = pair.first.subject;
  std::vector<std::int64_t> position_of(static_cast<std::size_t>(subject.i * subject.j), -1);
  for (std::size_t index = 0; index < first.size(); ++index) {
    const auto rank = static_cast<std::int64_t>(index);
    const std::int64_t other = pair.rank_of(rank);
    const auto other_index = static_cast<std::size_t>(other);
    const auto& theirs = pair.second.run.observation.owned[other_index];
    for (std::size_t position = 0; position < theirs.size(); ++position) {
      position_of[static_cast<std::size_t>(theirs[position])] = static_cast<std::int64_t>(position);
    }
    for (std::size_t position = 0; position < first[index].size(); ++position) {
      const std::int64_t coordinate = first[index][position];
      const std::int64_t there = pair.coordinate_of(coordinate);
      // Where no sum rounds, no order matters.
      if (!all && !(is_exact(pair.first, rank, coordinate) && is_exact(pair.second, other, there)))
        continue;
      const auto place = static_cast<std::size_t>(position_of[static_cast<std::size_t>(there)]);
      compare_element(pair, rank, coordinate, pair.first.run.bits[index][position],
                      pair.second.run.bits[other_index][place], judgement);
    }
  }
}

}  // namespace

void ProductComparison::compare(std::size_t /*index*/, const Evidence& second,
                                const Verdict& alone) {
  if (alone.status == Status::unsupported) return;
  observe(judgement_);
  if (!alone.findings.empty()) {
    add(judgement_, fails_alone(relation_, case_, alone));
    return;
  }
  const ProductEvidence of_second(second);
  const Pair pair{first_, of_second, relation_, related_};
  compare_owners(pair, judgement_);
  if (judgement_.outcome == Outcome::broken) return;
  compare_ledgers(pair, judgement_);
  compare_elements(pair, judgement_);
}

}  // namespace shardcheck
