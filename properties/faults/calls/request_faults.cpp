// Mistakes in what is asked of a correct backend, and in what it tells.

#include <algorithm>
#include <vector>

#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/number_bits.h>

#include <shardcheck/properties/faults/copied_inputs.h>
#include <shardcheck/properties/faults/memory_mistakes.h>

#include "fault_tables.h"

namespace shardcheck {

namespace {

std::int64_t elements(std::span<const std::byte> buffer, Dtype dtype) {
  return static_cast<std::int64_t>(buffer.size()) / info(dtype).bytes;
}

bool is_alone(const CallsCase& subject, Collective collective) {
  return subject.calls.size() == 1 && subject.calls.front().collective == collective;
}

bool has_reduction(const CallsCase& subject) {
  return std::ranges::any_of(subject.calls,
                             [](const Call& call) { return reduces(call.collective); });
}

/// Whoever asks, member 0 has the result.
Observation root_fixed_at_zero(const CallsCase& subject, const Request& request, Backend& inner) {
  const bool has_result_at_root =
      is_alone(subject, Collective::reduce) || is_alone(subject, Collective::gather);
  if (!has_result_at_root) return inner.run(request);
  CallsCase fixed = subject;
  fixed.root = 0;
  return inner.run({fixed, request.ranks, request.trace});
}

/// A rank writes its result over the beginning of its input before all of that is sent.
Observation reads_what_it_overwrote(const CallsCase& subject, const Request& request,
                                    Backend& inner) {
  const bool has_more_to_send = subject.in_place && member_count(subject) > 1 &&
                                is_alone(subject, Collective::reduce_scatter);
  if (!has_more_to_send) return inner.run(request);
  CopiedInputs copied(request);
  const Observation first = inner.run(copied.request());
  if (first.ending != Ending::finished) return first;
  const auto width = static_cast<std::size_t>(info(subject.dtypes.in).bytes);
  for (std::size_t rank = 0; rank < request.ranks.size(); ++rank) {
    const std::size_t bytes = first.owned[rank].size() * width;
    std::copy_n(request.ranks[rank].output.begin(), bytes, copied.of(rank).begin());
  }
  return inner.run(copied.request());
}

/// The sign bit of every element of a buffer is flipped.
void flip_signs(std::span<std::byte> buffer, Dtype dtype) {
  const Bits sign = Bits{1} << static_cast<unsigned>(8 * info(dtype).bytes - 1);
  for (std::int64_t at = 0; at < elements(buffer, dtype); ++at) {
    store(buffer, dtype, at, load(buffer, dtype, at) ^ sign);
  }
}

/// The order of unsigned numbers with their highest bits flipped is that of signed ones.
Observation compares_as_signed(const CallsCase& subject, const Request& request, Backend& inner) {
  const DtypeInfo& in = info(subject.dtypes.in);
  const bool compares =
      has_reduction(subject) && (subject.op == Operator::min || subject.op == Operator::max);
  if (!compares || in.is_float || in.is_signed) return inner.run(request);
  CopiedInputs copied(request);
  for (std::size_t rank = 0; rank < request.ranks.size(); ++rank) {
    flip_signs(copied.of(rank), in.dtype);
  }
  Observation observation = inner.run(copied.request());
  for (std::size_t rank = 0; rank < observation.owned.size(); ++rank) {
    const std::size_t bytes = observation.owned[rank].size() * static_cast<std::size_t>(in.bytes);
    flip_signs(request.ranks[rank].output.first(bytes), in.dtype);
  }
  return observation;
}

/// Partial sums are collected in the buffer that was to be sent.
Observation send_buffer_changed(const CallsCase& subject, const Request& request, Backend& inner) {
  return has_reduction(subject) ? input_changed(request, inner) : inner.run(request);
}

/// A rank's own block is counted as if it had come from another.
Observation own_block_counted_as_received(const CallsCase& /*subject*/, const Request& request,
                                          Backend& inner) {
  Observation observation = inner.run(request);
  if (!observation.ledger || observation.ledger->received.empty()) return observation;
  for (Transfer& transfer : observation.ledger->received) {
    const RankMemory& rank = request.ranks[static_cast<std::size_t>(transfer.destination)];
    transfer.bytes += static_cast<std::int64_t>(rank.inputs[0].size());
  }
  return observation;
}

/// The last member of a group is taken from the next group.
Observation rank_of_a_neighbour_group(const CallsCase& subject, const Request& request,
                                      Backend& inner) {
  CopiedInputs copied(request);
  const std::int64_t last = member_count(subject) - 1;
  std::vector<std::size_t> last_members;
  for (std::size_t rank = 0; rank < request.ranks.size(); ++rank) {
    if (member_of(subject, static_cast<std::int64_t>(rank)) == last) {
      last_members.push_back(rank);
    }
  }
  if (last == 0) return inner.run(request);
  for (std::size_t group = 0; group + 1 < last_members.size(); ++group) {
    copied.exchange(last_members[group], last_members[group + 1]);
  }
  return inner.run(copied.request());
}

/// A group of one has nothing to exchange, and so nothing is done.
Observation one_rank_copies_nothing(const CallsCase& subject, const Request& request,
                                    Backend& inner) {
  if (member_count(subject) > 1 || subject.in_place) return inner.run(request);
  std::vector<std::vector<std::byte>> elsewhere;
  std::vector<RankMemory> ranks(request.ranks.begin(), request.ranks.end());
  for (RankMemory& rank : ranks) {
    rank.output = elsewhere.emplace_back(rank.output.size());
  }
  return inner.run({subject, ranks, request.trace});
}

/// NaNs are taken for what no comparison chooses.
Observation nans_dropped(const CallsCase& subject, const Request& request, Backend& inner) {
  const Dtype in = subject.dtypes.in;
  if (!info(in).is_float || subject.op != Operator::max || !has_reduction(subject)) {
    return inner.run(request);
  }
  const FloatBits& f = float_bits(in);
  const Bits least = sign_bit(f) | (has_infinity(f) ? infinity_bits(f) : largest_bits(f));
  CopiedInputs copied(request);
  for (std::size_t rank = 0; rank < request.ranks.size(); ++rank) {
    const std::span<std::byte> input = copied.of(rank);
    for (std::int64_t at = 0; at < elements(input, in); ++at) {
      const Bits bits = load(input, in, at) & ~sign_bit(f);
      const bool is_infinite = has_infinity(f) && bits == infinity_bits(f);
      if (!is_finite(f, bits) && !is_infinite) store(input, in, at, least);
    }
  }
  return inner.run(copied.request());
}

/// A loop over the result goes one too far.
Observation one_past_the_end(const CallsCase& /*subject*/, const Request& request, Backend& inner) {
  return element_written_outside(request, inner);
}

}  // namespace

std::vector<PlantedFault> calls_value_faults() {
  return {
      {"in_place_reads_what_it_overwrote",
       "a reduce-scatter in place writes its result over values that it has yet to send",
       "class F: in-place reads what was just overwritten", Invariant::value,
       planted(&reads_what_it_overwrote)},
      {"unsigned_compared_as_signed", "min and max of unsigned numbers compare them as signed",
       "class J: signed compare for unsigned", Invariant::value, planted(&compares_as_signed)},
      {"neighbour_groups_rank", "the last member of a group is that of the next group",
       "class N: neighbour group's ranks", Invariant::value, planted(&rank_of_a_neighbour_group)},
      {"nans_dropped", "max passes over NaNs", "class K: ml-explore/mlx#4072, NaN dropped",
       Invariant::value, planted(&nans_dropped)},
  };
}

std::vector<PlantedFault> calls_harness_faults() {
  return {
      {"root_fixed_at_zero", "reduce and gather leave their result to member 0",
       "class N: root fixed at 0", Invariant::ownership, planted(&root_fixed_at_zero)},
      {"send_buffer_changed", "a reduction collects its sums in the input",
       "class F: accumulate into the send buffer", Invariant::memory,
       planted(&send_buffer_changed)},
      {"one_rank_copies_nothing", "a group of one member leaves its output as it was",
       "class H: P = 1 path copies nothing", Invariant::memory, planted(&one_rank_copies_nothing)},
      {"one_past_the_end", "one element is written behind the result", "class P: one past the end",
       Invariant::memory, planted(&one_past_the_end)},
      {"own_block_counted_as_received", "what a rank keeps is counted as received",
       "class O: own block counted as received", Invariant::ledger,
       planted(&own_block_counted_as_received)},
  };
}

}  // namespace shardcheck
