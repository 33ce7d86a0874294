#include "calls_definition.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <ostream>

namespace shardcheck::impl {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;

/// What one group holds between two calls, by member: the elements, in order.
using Holdings = std::vector<std::vector<Bits>>;

std::vector<Bits> reduced(const Holdings& held, const std::vector<std::int64_t>& positions,
                          const Fold& fold) {
  std::vector<Bits> result;
  for (const std::int64_t position : positions) {
    std::vector<Bits> terms;
    for (const std::vector<Bits>& member : held) {
      terms.push_back(member[static_cast<std::size_t>(position)]);
    }
    result.push_back(fold(terms));
  }
  return result;
}

std::vector<Bits> joined(const Holdings& held, const Lists& blocks, std::int64_t n) {
  std::vector<Bits> whole(static_cast<std::size_t>(n));
  for (std::size_t member = 0; member < held.size(); ++member) {
    for (std::size_t at = 0; at < held[member].size(); ++at) {
      whole[static_cast<std::size_t>(blocks[member][at])] = held[member][at];
    }
  }
  return whole;
}

std::vector<Bits> picked(const std::vector<Bits>& whole,
                         const std::vector<std::int64_t>& positions) {
  std::vector<Bits> part;
  for (const std::int64_t position : positions) {
    part.push_back(whole[static_cast<std::size_t>(position)]);
  }
  return part;
}

std::vector<std::int64_t> all_positions(std::int64_t n) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(n));
  std::iota(positions.begin(), positions.end(), 0);
  return positions;
}

Holdings after(const CallsCase& subject, const Call& call, const Holdings& held, const Fold& fold) {
  const Lists blocks = blocks_of(subject);
  const std::vector<std::int64_t> all = all_positions(subject.n);
  const auto root = static_cast<std::size_t>(subject.root);
  Holdings then(held.size());
  for (std::size_t member = 0; member < held.size(); ++member) {
    const bool is_root = member == root;
    switch (call.collective) {
      case Collective::all_reduce: then[member] = reduced(held, all, fold); break;
      case Collective::reduce_scatter: then[member] = reduced(held, blocks[member], fold); break;
      case Collective::reduce:
        if (is_root) then[member] = reduced(held, all, fold);
        break;
      case Collective::all_gather: then[member] = joined(held, blocks, subject.n); break;
      case Collective::gather:
        if (is_root) then[member] = joined(held, blocks, subject.n);
        break;
      case Collective::broadcast: then[member] = held[root]; break;
      case Collective::scatter: then[member] = picked(held[root], blocks[member]); break;
      case Collective::all_to_all:
      case Collective::permute: break;
    }
  }
  return then;
}

/// all_to_all and permute, which come last, with the coordinates of what arrives.
std::vector<Part> swapped(const CallsCase& subject, const Holdings& held) {
  const Lists blocks = subject.counts.empty() ? blocks_of(subject) : Lists{};
  const std::size_t members = held.size();
  std::vector<Part> parts(members);
  const auto deliver = [&](std::size_t source, std::size_t destination, std::int64_t position) {
    std::int64_t before = 0;
    for (std::size_t one = 0; one < source; ++one) {
      before += static_cast<std::int64_t>(held[one].size());
    }
    parts[destination].coordinates.push_back(before + position);
    parts[destination].elements.push_back(held[source][static_cast<std::size_t>(position)]);
  };
  for (std::size_t source = 0; source < members; ++source) {
    if (subject.calls.back().collective == Collective::permute) {
      const std::int64_t destination = subject.destinations[source];
      if (destination < 0) continue;
      for (const std::int64_t position : all_positions(subject.n)) {
        deliver(source, static_cast<std::size_t>(destination), position);
      }
      continue;
    }
    std::int64_t next = 0;
    for (std::size_t destination = 0; destination < members; ++destination) {
      if (subject.counts.empty()) {
        for (const std::int64_t position : blocks[destination]) {
          deliver(source, destination, position);
        }
      } else {
        for (std::int64_t at = 0; at < subject.counts[source][destination]; ++at) {
          deliver(source, destination, next++);
        }
      }
    }
  }
  return parts;
}

std::vector<Part> with_coordinates(const CallsCase& subject, const Holdings& held) {
  const Collective last = subject.calls.back().collective;
  const bool is_block = last == Collective::reduce_scatter || last == Collective::scatter;
  const Lists blocks = is_block ? blocks_of(subject) : Lists{};
  std::vector<Part> parts;
  for (std::size_t member = 0; member < held.size(); ++member) {
    const auto length = static_cast<std::int64_t>(held[member].size());
    parts.push_back({is_block ? blocks[member] : all_positions(length), held[member]});
  }
  return parts;
}

constexpr std::byte poison{0xa5};
constexpr std::size_t guard_bytes = 64;

}  // namespace

void PrintTo(const Part& part, std::ostream* stream) {
  for (std::size_t at = 0; at < part.elements.size(); ++at) {
    *stream << (at == 0 ? "" : " ") << part.coordinates[at] << ':' << std::hex << part.elements[at]
            << std::dec;
  }
}

CallsCase basic_case(std::vector<Call> calls, std::int64_t members, std::int64_t n, Dtype dtype) {
  CallsCase subject;
  subject.mesh.axes = {{"x", members}};
  subject.over = {0};
  subject.calls = std::move(calls);
  subject.n = n;
  subject.dtypes = {dtype, dtype, dtype, dtype};
  subject.data.regime = Data::Regime::given;
  for (std::int64_t member = 0; member < members; ++member) {
    subject.destinations.push_back((member + 1) % members);
  }
  return subject;
}

void fill(CallsCase& subject, std::mt19937_64& random) {
  const int unused = 64 - 8 * info(subject.dtypes.in).bytes;
  subject.data.given.assign(static_cast<std::size_t>(rank_count(subject.mesh)), {});
  for (const std::vector<std::int64_t>& group : groups_of(subject)) {
    for (std::size_t member = 0; member < group.size(); ++member) {
      std::vector<Bits>& input = subject.data.given[static_cast<std::size_t>(group[member])];
      input.resize(
          static_cast<std::size_t>(input_length(subject, static_cast<std::int64_t>(member))));
      for (Bits& bits : input) bits = random() >> unused;
    }
  }
}

Split split_by(Split::Rule rule) {
  Split split;
  split.rule = rule;
  return split;
}

Lists groups_of(const CallsCase& subject) {
  std::map<std::vector<std::int64_t>, std::vector<std::int64_t>> groups;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    std::vector<std::int64_t> elsewhere;
    std::int64_t rest = rank;
    for (std::size_t axis = subject.mesh.axes.size(); axis-- > 0;) {
      const std::int64_t coordinate = rest % subject.mesh.axes[axis].size;
      rest /= subject.mesh.axes[axis].size;
      const bool is_over = std::count(subject.over.begin(), subject.over.end(), axis) > 0;
      if (!is_over) elsewhere.push_back(coordinate);
    }
    groups[elsewhere].push_back(rank);
  }
  Lists by_member;
  for (const auto& [elsewhere, ranks] : groups) by_member.push_back(ranks);
  return by_member;
}

Lists blocks_of(const CallsCase& subject) {
  const std::int64_t members = member_count(subject);
  const Split& split = subject.split;
  Lists blocks(static_cast<std::size_t>(members));
  if (split.rule == Split::Rule::sets) return split.sets;
  for (std::int64_t position = 0; position < subject.n; ++position) {
    std::int64_t owner = 0;
    switch (split.rule) {
      case Split::Rule::balanced: {
        const std::int64_t longer = subject.n % members;
        const std::int64_t length = subject.n / members;
        const std::int64_t in_longer = longer * (length + 1);
        owner = position < in_longer ? position / (length + 1)
                                     : longer + (position - in_longer) / length;
        break;
      }
      case Split::Rule::ceil: owner = position / ((subject.n + members - 1) / members); break;
      case Split::Rule::sizes: {
        std::int64_t end = split.sizes[0];
        while (position >= end) end += split.sizes[static_cast<std::size_t>(++owner)];
        break;
      }
      case Split::Rule::cyclic: owner = position / split.block % members; break;
      case Split::Rule::sets: break;
    }
    blocks[static_cast<std::size_t>(owner)].push_back(position);
  }
  return blocks;
}

std::int64_t input_length(const CallsCase& subject, std::int64_t member) {
  const auto at = static_cast<std::size_t>(member);
  if (!subject.counts.empty()) {
    return std::accumulate(subject.counts[at].begin(), subject.counts[at].end(), std::int64_t{0});
  }
  switch (subject.calls.front().collective) {
    case Collective::all_gather:
    case Collective::gather: return static_cast<std::int64_t>(blocks_of(subject)[at].size());
    case Collective::broadcast:
    case Collective::scatter: return member == subject.root ? subject.n : 0;
    default: return subject.n;
  }
}

std::vector<Part> results_by_definition(const CallsCase& subject, const Fold& fold) {
  std::vector<Part> results(static_cast<std::size_t>(rank_count(subject.mesh)));
  for (const std::vector<std::int64_t>& ranks : groups_of(subject)) {
    Holdings held;
    for (const std::int64_t rank : ranks) {
      held.push_back(subject.data.given[static_cast<std::size_t>(rank)]);
    }
    const Collective last = subject.calls.back().collective;
    for (const Call& call : subject.calls) {
      if (call.collective == Collective::all_to_all || call.collective == Collective::permute)
        break;
      held = after(subject, call, held, fold);
    }
    const bool swaps = last == Collective::all_to_all || last == Collective::permute;
    std::vector<Part> parts = swaps ? swapped(subject, held) : with_coordinates(subject, held);
    for (std::size_t member = 0; member < ranks.size(); ++member) {
      results[static_cast<std::size_t>(ranks[member])] = std::move(parts[member]);
    }
  }
  return results;
}

std::vector<std::int64_t> CallsRun::sent() const {
  std::vector<std::int64_t> bytes(results.size(), 0);
  for (const Transfer& transfer : seen.ledger->sent) {
    bytes[static_cast<std::size_t>(transfer.source)] += transfer.bytes;
  }
  return bytes;
}

CallsRun run_calls(ShardedBackend& backend, const CallsCase& subject, std::int64_t room) {
  const Dtype dtype = subject.dtypes.in;
  const auto width = static_cast<std::size_t>(info(dtype).bytes);
  const auto ranks = static_cast<std::size_t>(rank_count(subject.mesh));
  const std::size_t output_bytes = static_cast<std::size_t>(room) * width;
  std::vector<std::vector<std::byte>> inputs(ranks);
  std::vector<std::vector<std::byte>> outputs(
      ranks, std::vector<std::byte>(output_bytes + guard_bytes, poison));
  std::vector<std::span<const std::byte>> given_to(ranks);
  const std::vector<std::vector<std::int64_t>> groups = groups_of(subject);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::vector<Bits>& given = subject.data.given[rank];
    inputs[rank].resize(given.size() * width);
    for (std::size_t at = 0; at < given.size(); ++at) {
      store(inputs[rank], dtype, static_cast<std::int64_t>(at), given[at]);
    }
    given_to[rank] = inputs[rank];
  }
  if (subject.in_place) {
    for (const std::vector<std::int64_t>& group : groups) {
      std::size_t start = 0;
      for (const std::int64_t rank : group) {
        const auto at = static_cast<std::size_t>(rank);
        if (subject.calls[0].collective != Collective::all_gather) start = 0;
        std::copy(inputs[at].begin(), inputs[at].end(),
                  outputs[at].begin() + static_cast<std::ptrdiff_t>(start));
        given_to[at] = std::span(outputs[at]).subspan(start, inputs[at].size());
        start += inputs[at].size();
      }
    }
  }
  std::vector<RankMemory> memory;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    memory.push_back(
        {std::span(given_to).subspan(rank, 1), std::span(outputs[rank]).first(output_bytes)});
  }
  const std::vector<std::vector<std::byte>> inputs_before = inputs;
  CallsRun run;
  run.seen = backend.run({subject, memory});
  run.wrote_elsewhere = inputs != inputs_before;
  run.results.resize(ranks);
  for (std::size_t rank = 0; rank < run.seen.owned.size(); ++rank) {
    Part& part = run.results[rank];
    part.coordinates = run.seen.owned[rank];
    for (std::size_t at = 0; at < part.coordinates.size(); ++at) {
      if (at < static_cast<std::size_t>(room)) {
        part.elements.push_back(load(outputs[rank], dtype, static_cast<std::int64_t>(at)));
      }
    }
    const std::size_t rest = subject.in_place ? output_bytes : part.coordinates.size() * width;
    for (std::size_t byte = rest; byte < outputs[rank].size(); ++byte) {
      run.wrote_elsewhere |= outputs[rank][byte] != poison;
    }
  }
  return run;
}

}  // namespace shardcheck::impl
