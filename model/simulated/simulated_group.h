#pragma once

/// For tests alone: one group that carries out collectives message by message, as the "does" column
/// of docs/collectives.md puts it, in the generic arithmetic of exact/format.h. Written apart from
/// the trees and the closed forms, which it judges.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck::model {

/// By position or coordinate: a pattern.
using Elements = std::map<std::int64_t, Bits>;

class SimulatedGroup {
 public:
  /// `start`: by member, what it holds before the first call, dtype in.
  SimulatedGroup(const CallsCase& subject, std::vector<Elements> start);

  void run(const Call& call);

  /// By member, what it holds now, dtype out.
  const std::vector<Elements>& held() const { return held_; }
  /// Of the last call: bytes by source and destination.
  const std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>& sent() const {
    return sent_;
  }

 private:
  using Member = std::int64_t;

  std::int64_t next(Member r, std::int64_t distance) const;
  const Elements& held(Member r) const { return held_[static_cast<std::size_t>(r)]; }
  Elements& partial(Member r) { return partials_[static_cast<std::size_t>(r)]; }

  // Messages. What is sent is what `from` has of `positions`.
  Elements send(Member source, Member destination, const Elements& from, const IndexList& positions,
                Dtype dtype);
  Elements send_partials(Member source, Member destination, const Elements& from,
                         const IndexList& positions);
  void move(Member source, Member destination, std::vector<Elements>& to,
            const IndexList& positions);

  // Arithmetic in acc.
  Bits widen(Bits x) const;
  Bits through_wire(Bits x) const;
  Bits combine(Bits x, Bits y) const;
  Bits finished(Bits x) const;
  void combine_after(Member r, const Elements& received);   ///< own ⊕ received
  void combine_before(Member r, const Elements& received);  ///< received ⊕ own
  void keep(Member r, const IndexList& positions);          ///< finished

  void reduce_in_turn(Member end, const IndexList& positions);
  void fold(const IndexList& positions);
  void halve(const std::vector<IndexList>& folded_blocks);
  Member folded_member(std::int64_t v) const;
  std::vector<IndexList> folded(const std::vector<IndexList>& blocks) const;

  void reduce_scatter(Algorithm algorithm, const std::vector<IndexList>& blocks);
  void all_gather(Algorithm algorithm, const std::vector<IndexList>& blocks);
  void gather_by_doubling(const std::vector<IndexList>& folded_blocks);
  void all_reduce(Algorithm algorithm);
  void reduce(Algorithm algorithm, Member root);
  void reduce_below(Member root, std::int64_t u);
  void broadcast(Algorithm algorithm, Member root);
  void broadcast_below(Algorithm algorithm, Member root, std::int64_t u);
  std::vector<std::int64_t> children(Algorithm algorithm, std::int64_t u) const;
  IndexList subtree(Algorithm algorithm, Member root, std::int64_t u,
                    const std::vector<IndexList>& blocks) const;
  void scatter_below(Algorithm algorithm, Member root, std::int64_t u,
                     const std::vector<IndexList>& blocks);
  void gather_below(Algorithm algorithm, Member root, std::int64_t u,
                    const std::vector<IndexList>& blocks);
  void all_to_all(Algorithm algorithm);
  void permute();

  const CallsCase& case_;
  std::int64_t count_;  ///< members
  std::int64_t power_ = 1;
  IndexList all_;
  std::vector<IndexList> blocks_;
  std::vector<Elements> held_;
  std::vector<Elements> partials_;  ///< dtype acc
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> sent_;
};

/// The part of each position, counted out. Requires: not `counts`.
std::vector<IndexList> counted_out(const Split& split, std::int64_t n, std::int64_t part_count);

}  // namespace shardcheck::model
