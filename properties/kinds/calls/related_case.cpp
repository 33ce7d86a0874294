#include "related_case.h"

#include <algorithm>
#include <array>
#include <utility>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/number_bits.h>

namespace shardcheck {

namespace {

constexpr std::int64_t elements_max = 65536;
constexpr std::int64_t ranks_max = 256;

using Related = std::optional<RelatedCalls>;

std::vector<std::vector<Bits>> inputs_of(const CallsEvidence& first) {
  std::vector<std::vector<Bits>> inputs;
  for (std::int64_t rank = 0; rank < rank_count(first.subject.mesh); ++rank) {
    inputs.push_back(first.expectation.input_of(rank));
  }
  return inputs;
}

/// The first case's results, as they are due again.
std::vector<std::vector<std::optional<Bits>>> results_of(const CallsEvidence& first) {
  std::vector<std::vector<std::optional<Bits>>> due;
  for (const std::vector<Bits>& bits : first.run.bits) due.emplace_back(bits.begin(), bits.end());
  return due;
}

/// The case with values written out.
CallsCase with_values(const CallsCase& asked, std::vector<std::vector<Bits>> values) {
  CallsCase subject = asked;
  subject.data.regime = Data::Regime::given;
  subject.data.seed = 0;
  subject.data.given = std::move(values);
  return subject;
}

bool is_alone(const CallsCase& asked, Collective collective) {
  return asked.calls.size() == 1 && asked.calls.front().collective == collective;
}

/// A reduce-scatter and an all-gather that make up an all-reduce by `algorithm`, as far as they
/// can: with the same tree for ring and direct.
std::array<Algorithm, 2> halves_of(Algorithm algorithm, Operator op) {
  if (op == Operator::matrix) return {Algorithm::direct, Algorithm::bruck};
  switch (algorithm) {
    case Algorithm::direct: return {Algorithm::direct, Algorithm::direct};
    case Algorithm::doubling: return {Algorithm::pairwise, Algorithm::doubling};
    case Algorithm::rabenseifner: return {Algorithm::halving, Algorithm::doubling};
    case Algorithm::binomial: return {Algorithm::direct, Algorithm::bruck};
    default: return {Algorithm::ring, Algorithm::ring};
  }
}

Related reduce_then_gather(const CallsCase& asked, const CallsEvidence& first) {
  if (!is_alone(asked, Collective::all_reduce)) return std::nullopt;
  const Algorithm algorithm = asked.calls.front().algorithm;
  const auto [reducing, gathering] = halves_of(algorithm, asked.op);
  RelatedCase one{asked, results_of(first), reducing == algorithm, {0, 0}};
  one.subject.calls = {{Collective::reduce_scatter, reducing}, {Collective::all_gather, gathering}};
  one.subject.in_place = false;
  one.subject.order = Order::declared;
  RelatedCalls related{{std::move(one)}, std::nullopt};
  // Only where both halves are those that the algorithm is made of.
  const bool sends_alike = reducing == algorithm && gathering == algorithm;
  if (sends_alike && first.run.observation.ledger) {
    related.bytes = tabulated(first.run.observation.ledger->sent);
  }
  return related;
}

Related transposed_counts(const CallsCase& asked, const CallsEvidence& first) {
  if (!is_alone(asked, Collective::all_to_all)) return std::nullopt;
  const model::Meaning& meaning = first.expectation.meaning;
  const auto counts = meaning.all_to_all_counts();
  RelatedCase one{with_values(asked, first.run.bits), {}, true, {0}};
  one.subject.n = 0;
  one.subject.split = Split{};
  one.subject.counts = counts;
  for (std::size_t from = 0; from < counts.size(); ++from) {
    for (std::size_t to = 0; to < counts.size(); ++to) {
      one.subject.counts[from][to] = counts[to][from];
    }
  }
  // What every member had, its blocks one after the other.
  const std::vector<std::vector<Bits>> inputs = inputs_of(first);
  for (const std::vector<Bits>& input : inputs) {
    std::vector<std::optional<Bits>> due;
    if (asked.counts.empty()) {
      for (std::int64_t block = 0; block < meaning.member_count(); ++block) {
        for (const std::int64_t position : meaning.block(block)) {
          due.emplace_back(input[static_cast<std::size_t>(position)]);
        }
      }
    } else {
      due.assign(input.begin(), input.end());
    }
    one.due.push_back(std::move(due));
  }
  RelatedCalls related{{std::move(one)}, std::nullopt};
  // Bruck's way goes through others.
  if (asked.calls.front().algorithm != Algorithm::bruck && first.run.observation.ledger) {
    related.bytes.emplace();
    for (const auto& [place, bytes] : tabulated(first.run.observation.ledger->sent)) {
      const auto& [phase, source, destination] = place;
      (*related.bytes)[{phase, destination, source}] = bytes;
    }
  }
  return related;
}

/// Whether x ⊕ x ⊕ … ⊕ x is x, sums that round aside.
bool comes_back(const CallsCase& asked) {
  switch (asked.op) {
    case Operator::min:
    case Operator::max:
    case Operator::bit_and:
    case Operator::bit_or: return true;
    // Sums of integers may wrap before they are divided.
    case Operator::average: return info(asked.dtypes.in).is_float;
    case Operator::sum:
    case Operator::product:
    case Operator::bit_xor:
    case Operator::matrix: return false;
  }
  return false;
}

Related reduced_again(const CallsCase& asked, const CallsEvidence& first) {
  const bool has_room = static_cast<std::int64_t>(asked.calls.size()) < limits::calls;
  if (!has_room || !comes_back(asked)) return std::nullopt;
  if (asked.calls.back().collective != Collective::all_reduce) return std::nullopt;
  RelatedCase one{asked, results_of(first), false, {}};
  one.subject.calls.push_back(asked.calls.back());
  one.subject.in_place = false;
  one.subject.order = Order::declared;
  for (std::size_t phase = 0; phase < asked.calls.size(); ++phase) {
    one.phase_of.push_back(static_cast<std::int64_t>(phase));
  }
  one.phase_of.push_back(-1);
  RelatedCalls related{{std::move(one)}, std::nullopt};
  if (first.run.observation.ledger) related.bytes = tabulated(first.run.observation.ledger->sent);
  return related;
}

/// What added to x gives x, −0 and NaN included.
Bits neutral(Dtype dtype) { return info(dtype).is_float ? sign_bit(float_bits(dtype)) : Bits{0}; }

Related zero_extended(const CallsCase& asked, const CallsEvidence& first) {
  if (!is_alone(asked, Collective::gather) && !is_alone(asked, Collective::all_gather)) {
    return std::nullopt;
  }
  const model::Meaning& meaning = first.expectation.meaning;
  const std::vector<std::vector<Bits>> inputs = inputs_of(first);
  std::vector<std::vector<Bits>> extended;
  for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
    std::vector<Bits> whole(static_cast<std::size_t>(asked.n), neutral(asked.dtypes.in));
    const auto& block = meaning.block(meaning.member_of(static_cast<std::int64_t>(rank)));
    for (std::size_t at = 0; at < block.size(); ++at) {
      whole[static_cast<std::size_t>(block[at])] = inputs[rank][at];
    }
    extended.push_back(std::move(whole));
  }
  RelatedCase one{with_values(asked, std::move(extended)), results_of(first), true, {-1}};
  one.subject.calls = {{Collective::all_reduce, algorithms_of(Collective::all_reduce).front()}};
  one.subject.split = Split{};
  one.subject.op = Operator::sum;
  one.subject.root = 0;
  one.subject.in_place = false;
  // A gather says nothing of what others than the root hold.
  for (auto& due : one.due) due.resize(static_cast<std::size_t>(asked.n));
  return RelatedCalls{{std::move(one)}, std::nullopt};
}

/// Whether every element's tree is the same wherever it stands in the vector.
bool has_one_tree(const Call& call) {
  switch (call.collective) {
    case Collective::all_reduce:
      return call.algorithm == Algorithm::doubling || call.algorithm == Algorithm::binomial;
    case Collective::reduce:
    case Collective::broadcast:
    case Collective::permute: return true;
    default: return false;
  }
}

CallsCase slice_of(const CallsCase& asked, const std::vector<std::vector<Bits>>& inputs,
                   std::int64_t begin, std::int64_t end) {
  std::vector<std::vector<Bits>> values;
  for (const std::vector<Bits>& input : inputs) {
    // Others than the root of a broadcast bring nothing.
    if (input.empty()) {
      values.emplace_back();
    } else {
      values.emplace_back(input.begin() + begin, input.begin() + end);
    }
  }
  CallsCase subject = with_values(asked, std::move(values));
  subject.n = end - begin;
  return subject;
}

Related slices(const CallsCase& asked, const CallsEvidence& first) {
  if (asked.calls.size() != 1 || asked.n < 2) return std::nullopt;
  const Call& call = asked.calls.front();
  const bool is_by_position =
      call.collective == Collective::all_reduce || call.collective == Collective::reduce ||
      call.collective == Collective::broadcast || call.collective == Collective::permute;
  if (!is_by_position) return std::nullopt;
  const std::vector<std::vector<Bits>> inputs = inputs_of(first);
  RelatedCalls related;
  const std::array<std::int64_t, 3> cuts{0, (asked.n + 1) / 2, asked.n};
  for (std::size_t slice = 0; slice + 1 < cuts.size(); ++slice) {
    RelatedCase one{
        slice_of(asked, inputs, cuts[slice], cuts[slice + 1]), {}, has_one_tree(call), {0}};
    for (const std::vector<Bits>& bits : first.run.bits) {
      std::vector<std::optional<Bits>> due;
      if (!bits.empty()) due.assign(bits.begin() + cuts[slice], bits.begin() + cuts[slice + 1]);
      one.due.push_back(std::move(due));
    }
    related.cases.push_back(std::move(one));
  }
  const bool sends_whole_vectors =
      has_one_tree(call) && call.algorithm != Algorithm::scatter_all_gather;
  if (sends_whole_vectors && first.run.observation.ledger) {
    related.bytes = tabulated(first.run.observation.ledger->sent);
  }
  return related;
}

}  // namespace

std::optional<RelatedCalls> relate(Relation relation, const CallsCase& asked,
                                   const CallsEvidence& first) {
  const std::int64_t ranks = rank_count(asked.mesh);
  if (ranks > ranks_max || ranks * first.expectation.output_room() > elements_max) {
    return std::nullopt;
  }
  switch (relation) {
    case Relation::reduce_then_gather: return reduce_then_gather(asked, first);
    case Relation::transposed_counts: return transposed_counts(asked, first);
    case Relation::reduced_again: return reduced_again(asked, first);
    case Relation::zero_extended: return zero_extended(asked, first);
    case Relation::slices: return slices(asked, first);
    case Relation::scaling:
    case Relation::transpose:
    case Relation::joined_ranks:
    case Relation::appended_zeros:
    case Relation::appended_ranks:
    case Relation::relabelled_ranks:
    case Relation::woven_apart: break;  // of products
  }
  return std::nullopt;
}

}  // namespace shardcheck
