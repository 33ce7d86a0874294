#pragma once

/// For tests: what collectives mean, written down in the plainest way, and a case through the
/// backend beside it.
///
/// Source: docs/collectives.md, "Meaning".

#include <array>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <random>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/case/observation.h>

#include <shardcheck/impl/backend.h>

namespace shardcheck::impl {

inline constexpr std::array every_collective{
    Collective::all_reduce, Collective::reduce_scatter, Collective::all_gather,
    Collective::reduce,     Collective::broadcast,      Collective::gather,
    Collective::scatter,    Collective::all_to_all,     Collective::permute};

/// One group of all ranks along x, the values given but not there yet; permute goes to the next.
CallsCase basic_case(std::vector<Call> calls, std::int64_t members, std::int64_t n, Dtype dtype);
/// Random bits for every element of every input.
void fill(CallsCase& subject, std::mt19937_64& random);
Split split_by(Split::Rule rule);

/// Elements and their coordinates, in order.
struct Part {
  std::vector<std::int64_t> coordinates;
  std::vector<Bits> elements;

  bool operator==(const Part&) const = default;
};

void PrintTo(const Part& part, std::ostream* stream);

/// x_0 ⊕ x_1 ⊕ … of one position, given x_0, x_1, ….
using Fold = std::function<Bits(const std::vector<Bits>&)>;

/// Ranks by group and member.
std::vector<std::vector<std::int64_t>> groups_of(const CallsCase& subject);
/// By member: the positions of its block, in order.
std::vector<std::vector<std::int64_t>> blocks_of(const CallsCase& subject);
/// Elements of a member's input.
std::int64_t input_length(const CallsCase& subject, std::int64_t member);

/// By rank: what the last call gives it. Requires: the data are given.
std::vector<Part> results_by_definition(const CallsCase& subject, const Fold& fold);

struct CallsRun {
  Observation seen;
  std::vector<Part> results;     ///< by rank, as reported; a coordinate beyond the output: left out
  bool wrote_elsewhere = false;  ///< beyond what was reported, or into an input

  /// By rank: payload bytes sent.
  std::vector<std::int64_t> sent() const;
};

/// `room`: elements of each output. Requires: the data are given.
CallsRun run_calls(ShardedBackend& backend, const CallsCase& subject, std::int64_t room);

}  // namespace shardcheck::impl
