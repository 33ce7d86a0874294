#include "ledger.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include <shardcheck/model/case/contract.h>

#include "folded_ranks.h"
#include "tree.h"

namespace shardcheck::model {
namespace {

std::int64_t total(const std::vector<std::int64_t>& blocks) {
  return std::accumulate(blocks.begin(), blocks.end(), std::int64_t{0});
}

/// Σ of blocks begin, begin + 1, … before end, modulo their number.
std::int64_t total(const std::vector<std::int64_t>& blocks, std::int64_t begin, std::int64_t end) {
  const auto count = static_cast<std::int64_t>(blocks.size());
  std::int64_t sum = 0;
  for (std::int64_t b = begin; b < end; ++b) sum += blocks[static_cast<std::size_t>(b % count)];
  return sum;
}

std::vector<std::int64_t> balanced(std::int64_t elements, std::int64_t part_count) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t part = 0; part < part_count; ++part) {
    sizes.push_back(elements / part_count + (part < elements % part_count ? 1 : 0));
  }
  return sizes;
}

/// By folded rank: the blocks of the members that it stands for.
std::vector<std::int64_t> folded_blocks(const FoldedRanks& ranks,
                                        const std::vector<std::int64_t>& blocks) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(ranks.count), 0);
  for (std::size_t m = 0; m < blocks.size(); ++m) {
    sizes[static_cast<std::size_t>(ranks.folded(static_cast<std::int64_t>(m)))] += blocks[m];
  }
  return sizes;
}

/// Member 2v and 2v + 1: what the one sends to the other before, and gets from it at the end.
template <class There, class Back>
void send_folds(const FoldedRanks& ranks, const Send& send, const There& there, const Back& back) {
  for (std::int64_t v = 0; v < ranks.pairs; ++v) {
    send(2 * v, 2 * v + 1, there(2 * v));
    send(2 * v + 1, 2 * v, back(2 * v));
  }
}

/// Every folded rank with its partner at every distance. `elements(v, partner, distance)`.
template <class Elements>
void send_by_distance(const FoldedRanks& ranks, const Send& send, std::int64_t bytes,
                      const Elements& elements) {
  for (std::int64_t distance = 1; distance < ranks.count; distance *= 2) {
    for (std::int64_t v = 0; v < ranks.count; ++v) {
      const std::int64_t partner = v ^ distance;
      send(ranks.member(v), ranks.member(partner), elements(v, partner, distance) * bytes);
    }
  }
}

/// Elements in the aligned group of `distance` folded ranks that v is in.
std::int64_t aligned(const std::vector<std::int64_t>& blocks, std::int64_t v,
                     std::int64_t distance) {
  const std::int64_t begin = v / distance * distance;
  return total(blocks, begin, begin + distance);
}

/// Halving: v sends its values of the partner's half.
void send_halves(const FoldedRanks& ranks, const Send& send,
                 const std::vector<std::int64_t>& blocks, std::int64_t bytes) {
  send_by_distance(ranks, send, bytes, [&](std::int64_t, std::int64_t partner, std::int64_t d) {
    return aligned(blocks, partner, d);
  });
}

/// Doubling: v sends all that it has so far.
void send_doubles(const FoldedRanks& ranks, const Send& send,
                  const std::vector<std::int64_t>& blocks, std::int64_t bytes) {
  send_by_distance(ranks, send, bytes, [&](std::int64_t v, std::int64_t, std::int64_t d) {
    return aligned(blocks, v, d);
  });
}

void send_reduce_scatter(const Payload& payload, Algorithm algorithm, const Send& send) {
  const std::int64_t members = payload.member_count;
  const std::vector<std::int64_t>& c = payload.blocks;
  const std::int64_t all = total(c);
  if (algorithm == Algorithm::halving) {
    const FoldedRanks ranks(members);
    send_halves(ranks, send, folded_blocks(ranks, c), payload.partial_bytes);
    send_folds(
        ranks, send, [&](std::int64_t) { return all * payload.partial_bytes; },
        [&](std::int64_t m) { return c[static_cast<std::size_t>(m)] * payload.finished_bytes; });
    return;
  }
  for (std::int64_t r = 0; r < members; ++r) {
    if (algorithm == Algorithm::ring) {
      send(r, (r + 1) % members, (all - c[static_cast<std::size_t>(r)]) * payload.partial_bytes);
      continue;
    }
    for (std::int64_t b = 0; b < members; ++b) {
      send(r, b, c[static_cast<std::size_t>(b)] * payload.partial_bytes);
    }
  }
}

void send_bruck_all_gather(const Payload& payload, const Send& send) {
  const std::int64_t members = payload.member_count;
  for (std::int64_t d = 1; d < members; d *= 2) {
    for (std::int64_t r = 0; r < members; ++r) {
      send(r, (r - d + members) % members,
           total(payload.blocks, r, r + std::min(d, members - d)) * payload.finished_bytes);
    }
  }
}

void send_all_gather(const Payload& payload, Algorithm algorithm, const Send& send) {
  const std::int64_t members = payload.member_count;
  const std::vector<std::int64_t>& c = payload.blocks;
  const std::int64_t all = total(c);
  const std::int64_t bytes = payload.finished_bytes;
  if (algorithm == Algorithm::bruck) return send_bruck_all_gather(payload, send);
  if (algorithm == Algorithm::doubling) {
    const FoldedRanks ranks(members);
    send_doubles(ranks, send, folded_blocks(ranks, c), bytes);
    send_folds(
        ranks, send, [&](std::int64_t m) { return c[static_cast<std::size_t>(m)] * bytes; },
        [&](std::int64_t m) { return (all - c[static_cast<std::size_t>(m)]) * bytes; });
    return;
  }
  for (std::int64_t r = 0; r < members; ++r) {
    const std::int64_t next = (r + 1) % members;
    if (algorithm == Algorithm::ring) {
      send(r, next, (all - c[static_cast<std::size_t>(next)]) * bytes);
      continue;
    }
    for (std::int64_t m = 0; m < members; ++m) {
      send(r, m, c[static_cast<std::size_t>(r)] * bytes);
    }
  }
}

/// The members of a tree below its root, u = member − root modulo their number. Calls
/// edge(parent, child, end), members, where the child's subtree is u of the child up to `end`.
template <class Edge>
void for_each_edge(const Payload& payload, Algorithm algorithm, const Edge& edge) {
  const std::int64_t members = payload.member_count;
  const auto member = [&](std::int64_t u) { return (payload.root + u) % members; };
  for (std::int64_t u = 1; u < members; ++u) {
    switch (algorithm) {
      case Algorithm::binomial: {
        const std::int64_t lowest = u & -u;
        edge(member(u - lowest), u, std::min(u + lowest, members));
        break;
      }
      case Algorithm::chain: edge(member(u - 1), u, members); break;
      default: edge(member(0), u, u + 1);
    }
  }
}

/// The vector goes along every edge, to the parent or from it.
void send_vector(const Payload& payload, Algorithm algorithm, std::int64_t bytes, bool is_to_root,
                 const Send& send) {
  for_each_edge(payload, algorithm, [&](std::int64_t parent, std::int64_t u, std::int64_t) {
    const std::int64_t child = (payload.root + u) % payload.member_count;
    send(is_to_root ? child : parent, is_to_root ? parent : child, payload.elements * bytes);
  });
}

/// The blocks of the subtree go along every edge.
void send_subtrees(const Payload& payload, Algorithm algorithm, bool is_to_root, const Send& send) {
  for_each_edge(payload, algorithm, [&](std::int64_t parent, std::int64_t u, std::int64_t end) {
    const std::int64_t child = (payload.root + u) % payload.member_count;
    const std::int64_t elements = total(payload.blocks, payload.root + u, payload.root + end);
    send(is_to_root ? child : parent, is_to_root ? parent : child,
         elements * payload.finished_bytes);
  });
}

void send_broadcast(Payload payload, Algorithm algorithm, const Send& send) {
  if (algorithm != Algorithm::scatter_all_gather) {
    return send_vector(payload, algorithm, payload.finished_bytes, false, send);
  }
  // By u: the vector cut anew, block u for member root + u. The ring goes over u too.
  const std::int64_t root = payload.root;
  const auto from_root = [&](std::int64_t source, std::int64_t destination, std::int64_t bytes) {
    send((root + source) % payload.member_count, (root + destination) % payload.member_count,
         bytes);
  };
  payload.root = 0;
  payload.blocks = balanced(payload.elements, payload.member_count);
  send_subtrees(payload, Algorithm::binomial, false, from_root);
  send_all_gather(payload, Algorithm::ring, from_root);
}

void send_all_reduce(Payload payload, Algorithm algorithm, const Send& send) {
  const FoldedRanks ranks(payload.member_count);
  const auto all_partial = [&](std::int64_t) { return payload.elements * payload.partial_bytes; };
  const auto all_finished = [&](std::int64_t) { return payload.elements * payload.finished_bytes; };
  payload.root = 0;
  payload.blocks = balanced(payload.elements, all_reduce_blocks(algorithm, payload.member_count));
  switch (algorithm) {
    case Algorithm::doubling:
      send_by_distance(ranks, send, payload.partial_bytes,
                       [&](std::int64_t, std::int64_t, std::int64_t) { return payload.elements; });
      send_folds(ranks, send, all_partial, all_finished);
      return;
    case Algorithm::rabenseifner:
      send_halves(ranks, send, payload.blocks, payload.partial_bytes);
      send_doubles(ranks, send, payload.blocks, payload.finished_bytes);
      send_folds(ranks, send, all_partial, all_finished);
      return;
    case Algorithm::binomial:
      send_vector(payload, algorithm, payload.partial_bytes, true, send);
      send_vector(payload, algorithm, payload.finished_bytes, false, send);
      return;
    default:
      send_reduce_scatter(payload, algorithm, send);
      send_all_gather(payload, algorithm, send);
  }
}

Payload payload_of(const CallsCase& subject, const Meaning& meaning, const Call& call) {
  Payload payload;
  payload.member_count = meaning.member_count();
  payload.elements = subject.n;
  payload.root = subject.root;
  payload.partial_bytes = info(subject.dtypes.wire).bytes;
  payload.finished_bytes = info(subject.dtypes.out).bytes;
  if (!divides(call.collective)) return payload;
  for (std::int64_t b = 0; b < payload.member_count; ++b) {
    payload.blocks.push_back(static_cast<std::int64_t>(meaning.block(b).size()));
  }
  return payload;
}

void send_call(const CallsCase& subject, const Meaning& meaning, const Call& call,
               const Send& send) {
  const std::int64_t bytes = info(subject.dtypes.out).bytes;
  if (call.collective == Collective::all_to_all) {
    return send_all_to_all(meaning.all_to_all_counts(), bytes, call.algorithm, send);
  }
  if (call.collective == Collective::permute) {
    for (std::size_t source = 0; source < subject.destinations.size(); ++source) {
      if (subject.destinations[source] < 0) continue;
      send(static_cast<std::int64_t>(source), subject.destinations[source], subject.n * bytes);
    }
    return;
  }
  send_all(payload_of(subject, meaning, call), call.collective, call.algorithm, send);
}

}  // namespace

void send_all(const Payload& payload, Collective collective, Algorithm algorithm,
              const Send& send) {
  switch (collective) {
    case Collective::all_reduce: return send_all_reduce(payload, algorithm, send);
    case Collective::reduce_scatter: return send_reduce_scatter(payload, algorithm, send);
    case Collective::all_gather: return send_all_gather(payload, algorithm, send);
    case Collective::reduce:
      return send_vector(payload, algorithm, payload.partial_bytes, true, send);
    case Collective::broadcast: return send_broadcast(payload, algorithm, send);
    case Collective::gather: return send_subtrees(payload, algorithm, true, send);
    case Collective::scatter: return send_subtrees(payload, algorithm, false, send);
    case Collective::all_to_all:
    case Collective::permute: break;
  }
  SHARDCHECK_REQUIRE(false, "all_to_all and permute have payloads of their own");
}

void send_all_to_all(const std::vector<std::vector<std::int64_t>>& counts, std::int64_t bytes,
                     Algorithm algorithm, const Send& send) {
  const auto members = static_cast<std::int64_t>(counts.size());
  for (std::int64_t r = 0; r < members; ++r) {
    const std::vector<std::int64_t>& row = counts[static_cast<std::size_t>(r)];
    if (algorithm != Algorithm::bruck) {
      for (std::int64_t m = 0; m < members; ++m)
        send(r, m, row[static_cast<std::size_t>(m)] * bytes);
      continue;
    }
    // Blocks on their way over a distance t move where t has a bit, whoever's they are.
    for (std::int64_t d = 1; d < members; d *= 2) {
      std::int64_t blocks = 0;
      for (std::int64_t t = 1; t < members; ++t) blocks += (t & d) != 0 ? 1 : 0;
      send(r, (r + d) % members, blocks * row[0] * bytes);
    }
  }
}

std::vector<Transfer> ledger(const CallsCase& subject, const Meaning& meaning) {
  std::vector<Transfer> transfers;
  for (std::size_t number = 0; number < subject.calls.size(); ++number) {
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> bytes_of_pair;
    for (const std::vector<std::int64_t>& ranks : meaning.groups()) {
      const auto rank = [&](std::int64_t member) {
        return ranks[static_cast<std::size_t>(member)];
      };
      send_call(subject, meaning, subject.calls[number],
                [&](std::int64_t source, std::int64_t destination, std::int64_t bytes) {
                  if (source == destination || bytes == 0) return;
                  bytes_of_pair[{rank(source), rank(destination)}] += bytes;
                });
    }
    for (const auto& [pair, bytes] : bytes_of_pair) {
      transfers.push_back({static_cast<std::int64_t>(number), pair.first, pair.second, bytes, 0});
    }
  }
  return transfers;
}

}  // namespace shardcheck::model
