#pragma once

/// Bytes that every member must send, in closed form, algorithm by algorithm (docs/collectives.md,
/// "Bytes"): nothing is simulated. For collectives alone and for those of a plan.
///
/// Sources: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication Operations in
/// MPICH" (2005); Bruck, Ho, Kipnis, Upfal, Weathersby (1997). The uneven forms follow from each
/// algorithm's definition.

#include <cstdint>
#include <functional>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/case/observation.h>

#include "meaning.h"

namespace shardcheck::model {

/// What one collective is about, in one group.
struct Payload {
  std::int64_t member_count = 1;
  std::int64_t elements = 0;         ///< of the whole vector
  std::vector<std::int64_t> blocks;  ///< by member: elements of its block, where blocks play a part
  std::int64_t root = 0;
  std::int64_t partial_bytes = 0;   ///< width of an element while it is reduced
  std::int64_t finished_bytes = 0;  ///< of one that is final, or just moved
};

/// Called with (source member, destination member, bytes), perhaps several times a pair, perhaps
/// with no bytes, perhaps with a member and itself.
using Send = std::function<void(std::int64_t, std::int64_t, std::int64_t)>;

/// all_reduce, reduce_scatter, all_gather, reduce, broadcast, gather, scatter.
/// Requires: the collective offers the algorithm.
void send_all(const Payload& payload, Collective collective, Algorithm algorithm, const Send& send);

/// all_to_all. `counts`: by member, by member, elements from the one to the other. Requires: of
/// bruck, all of them the same.
void send_all_to_all(const std::vector<std::vector<std::int64_t>>& counts, std::int64_t bytes,
                     Algorithm algorithm, const Send& send);

/// Of a case: ascending by (phase, source, destination), entries of 0 bytes left out, `messages`
/// left at 0.
std::vector<Transfer> ledger(const CallsCase& subject, const Meaning& meaning);

}  // namespace shardcheck::model
