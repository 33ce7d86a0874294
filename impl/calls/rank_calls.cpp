#include "rank_calls.h"

#include <algorithm>
#include <cstring>

#include <shardcheck/model/case/contract.h>

#include <shardcheck/impl/collectives/partials.h>

namespace shardcheck::impl {
namespace {

/// destination[to(e)] = source[from(e)] for each element e.
template <typename Word, typename From, typename To>
void move_words(const std::byte* source, std::byte* destination, std::size_t count, From from,
                To to) {
  for (std::size_t e = 0; e < count; ++e) {
    std::memcpy(destination + to(e) * sizeof(Word), source + from(e) * sizeof(Word), sizeof(Word));
  }
}

template <typename From, typename To>
void move_elements(const std::byte* source, std::byte* destination, std::size_t count,
                   std::int64_t element_bytes, From from, To to) {
  switch (element_bytes) {
    case 1: return move_words<std::uint8_t>(source, destination, count, from, to);
    case 2: return move_words<std::uint16_t>(source, destination, count, from, to);
    case 4: return move_words<std::uint32_t>(source, destination, count, from, to);
    default: return move_words<std::uint64_t>(source, destination, count, from, to);
  }
}

class RankCalls {
 public:
  RankCalls(const CollectiveSetup& setup, const CollectiveTable& table, Endpoint& endpoint,
            const RankMemory& memory, Workspace& workspace)
      : setup_(setup),
        case_(setup.subject),
        table_(table),
        memory_(memory),
        member_{endpoint, group_of(setup, endpoint.rank()), 0, workspace},
        held_(memory.inputs[0].data()),
        reduction_{case_.dtypes.acc, case_.dtypes.wire, case_.dtypes.out, case_.op},
        storage_(storage_of(case_.dtypes.acc)),
        width_(info(case_.dtypes.in).bytes),
        sum_width_(bytes_of(storage_)) {}

  void run();

 private:
  void call(const Call& what);
  void all_reduce(Algorithm algorithm);
  void reduce_scatter(Algorithm algorithm);
  void all_gather(Algorithm algorithm);
  void reduce(Algorithm algorithm);
  void broadcast(Algorithm algorithm);
  void gather(Algorithm algorithm);
  void scatter(Algorithm algorithm);
  void all_to_all(Algorithm algorithm);
  void all_to_all_by_counts(Algorithm algorithm);
  void permute(Algorithm algorithm);

  BlockStarts starts() const { return setup_.starts; }
  std::int64_t self() const { return member_.group.self; }
  bool is_root() const { return self() == case_.root; }
  std::byte* take(std::int64_t elements) { return member_.workspace.take(elements * width_); }
  std::byte* result_room(std::int64_t elements);
  bool can_add_in(const std::byte* room) const;
  std::byte* sums_in(std::byte* room);
  Reduction reduction_of(bool is_ours, std::byte* sums) const;
  const std::byte* in_block_order(const std::byte* by_position);
  void in_position_order(const std::byte* by_block, std::byte* by_position) const;
  void copy(const std::byte* elements, std::int64_t count, std::byte* destination) const;

  const CollectiveSetup& setup_;
  const CallsCase& case_;
  const CollectiveTable& table_;
  const RankMemory& memory_;
  Member member_;
  const std::byte* held_;  ///< what the next call starts from
  bool is_last_ = false;
  Reduction reduction_;
  Storage storage_;
  std::int64_t width_;
  std::int64_t sum_width_;
};

/// Where a call's result goes: the output, if it is the last one's.
std::byte* RankCalls::result_room(std::int64_t elements) {
  if (!is_last_) return take(elements);
  SHARDCHECK_REQUIRE(elements * width_ <= static_cast<std::int64_t>(memory_.output.size()),
                     "an output has room for what any member may get");
  return memory_.output.data();
}

/// Whether partials can lie in a result's own memory.
bool RankCalls::can_add_in(const std::byte* room) const {
  return is_stored_as_is(case_.dtypes.in, storage_) &&
         reinterpret_cast<std::uintptr_t>(room) % static_cast<std::uintptr_t>(sum_width_) == 0;
}

/// Room for this member's partials of the whole vector, in `room` if they can lie there.
std::byte* RankCalls::sums_in(std::byte* room) {
  if (room != nullptr && can_add_in(room)) return room;
  return member_.workspace.take(case_.n * sum_width_);
}

/// The reduction for a function that takes the partials from where they are held, or, if it isn't
/// one of ours, with the partials in `sums`.
Reduction RankCalls::reduction_of(bool is_ours, std::byte* sums) const {
  Reduction reduction = reduction_;
  if (is_ours) {
    reduction.own = held_;
  } else if (sums != held_) {
    widen(case_.dtypes.in, held_, storage_, sums, case_.n);
  }
  return reduction;
}

const std::byte* RankCalls::in_block_order(const std::byte* by_position) {
  if (setup_.is_contiguous) return by_position;
  std::byte* by_block = take(case_.n);
  const std::vector<std::int32_t>& indices = setup_.blocks.indices;
  move_elements(
      by_position, by_block, indices.size(), width_,
      [&](std::size_t e) { return static_cast<std::size_t>(indices[e]); },
      [](std::size_t e) { return e; });
  return by_block;
}

void RankCalls::in_position_order(const std::byte* by_block, std::byte* by_position) const {
  const std::vector<std::int32_t>& indices = setup_.blocks.indices;
  move_elements(
      by_block, by_position, indices.size(), width_, [](std::size_t e) { return e; },
      [&](std::size_t e) { return static_cast<std::size_t>(indices[e]); });
}

/// Nothing to do where a result takes the place of its input. Others read the copy next: it is
/// streamed if the last cache couldn't hold it anyway.
void RankCalls::copy(const std::byte* elements, std::int64_t count, std::byte* destination) const {
  constexpr std::int64_t cached_bytes = std::int64_t{16} << 20;
  const std::int64_t bytes = count * width_;
  if (elements == destination) return;
  copy_bytes(elements, destination, bytes,
             bytes < cached_bytes ? Stores::cached : Stores::streamed);
}

void RankCalls::all_reduce(Algorithm algorithm) {
  std::byte* result = result_room(case_.n);
  const Workspace::Mark mark = member_.workspace.mark();
  std::byte* sums = sums_in(result);
  const AllReduce function = entry(table_.all_reduce, algorithm).run;
  const bool is_ours = impl::is_ours(collective_table().all_reduce, function);
  function(member_, case_.n, reduction_of(is_ours, sums), sums, result);
  member_.workspace.release(mark);
  held_ = result;
}

void RankCalls::reduce_scatter(Algorithm algorithm) {
  const std::int64_t count = length_of(starts(), self());
  std::byte* result = result_room(count);
  const Workspace::Mark mark = member_.workspace.mark();
  held_ = in_block_order(held_);
  std::byte* sums = sums_in(nullptr);
  const ReduceScatter function = entry(table_.reduce_scatter, algorithm).run;
  const bool is_ours = impl::is_ours(collective_table().reduce_scatter, function);
  Reduction reduction = reduction_of(is_ours, sums);
  // In place the result lies where others still read this member's partials.
  if (is_ours && !case_.in_place) reduction.home = result;
  function(member_, starts(), reduction, sums);
  if (reduction.home == nullptr) {
    round_to_out(reduction_, sums + start_of(starts(), self()) * sum_width_, count, result);
  }
  member_.workspace.release(mark);
  held_ = result;
}

void RankCalls::all_gather(Algorithm algorithm) {
  std::byte* result = result_room(case_.n);
  const Workspace::Mark mark = member_.workspace.mark();
  std::byte* elements = setup_.is_contiguous ? result : take(case_.n);
  copy(held_, length_of(starts(), self()), elements + start_of(starts(), self()) * width_);
  entry(table_.all_gather, algorithm).run(member_, starts(), case_.dtypes.in, elements);
  if (elements != result) in_position_order(elements, result);
  member_.workspace.release(mark);
  held_ = result;
}

void RankCalls::reduce(Algorithm algorithm) {
  std::byte* result = is_root() ? result_room(case_.n) : nullptr;
  const Workspace::Mark mark = member_.workspace.mark();
  std::byte* sums = sums_in(result);
  const Reduce function = entry(table_.reduce, algorithm).run;
  const bool is_ours = impl::is_ours(collective_table().reduce, function);
  Reduction reduction = reduction_of(is_ours, sums);
  if (is_ours) reduction.home = result;
  function(member_, case_.root, case_.n, reduction, sums);
  if (!is_ours && is_root()) round_to_out(reduction_, sums, case_.n, result);
  member_.workspace.release(mark);
  held_ = result;
}

void RankCalls::broadcast(Algorithm algorithm) {
  std::byte* result = result_room(case_.n);
  if (is_root()) copy(held_, case_.n, result);
  entry(table_.broadcast, algorithm).run(member_, case_.root, case_.n, case_.dtypes.in, result);
  held_ = result;
}

void RankCalls::gather(Algorithm algorithm) {
  std::byte* result = is_root() ? result_room(case_.n) : nullptr;
  const Workspace::Mark mark = member_.workspace.mark();
  std::byte* elements = setup_.is_contiguous || !is_root() ? result : take(case_.n);
  entry(table_.gather, algorithm)
      .run(member_, case_.root, starts(), case_.dtypes.in, held_, elements);
  if (elements != result) in_position_order(elements, result);
  member_.workspace.release(mark);
  held_ = result;
}

void RankCalls::scatter(Algorithm algorithm) {
  std::byte* result = result_room(length_of(starts(), self()));
  const Workspace::Mark mark = member_.workspace.mark();
  const std::byte* elements = is_root() ? in_block_order(held_) : nullptr;
  entry(table_.scatter, algorithm)
      .run(member_, case_.root, starts(), case_.dtypes.in, elements, result);
  member_.workspace.release(mark);
  held_ = result;
}

void RankCalls::all_to_all(Algorithm algorithm) {
  if (!case_.counts.empty()) return all_to_all_by_counts(algorithm);
  const std::int64_t count = length_of(starts(), self());
  std::byte* result = result_room(setup_.members * count);
  const Workspace::Mark mark = member_.workspace.mark();
  const std::span<std::int64_t> received = take_starts(member_.workspace, setup_.members);
  for (std::size_t source = 1; source < received.size(); ++source) {
    received[source] = received[source - 1] + count;
  }
  entry(table_.all_to_all, algorithm)
      .run(member_, {starts(), received}, case_.dtypes.in, in_block_order(held_), result);
  member_.workspace.release(mark);
}

void RankCalls::all_to_all_by_counts(Algorithm algorithm) {
  const Workspace::Mark mark = member_.workspace.mark();
  const std::span<std::int64_t> sent = take_starts(member_.workspace, setup_.members);
  const std::span<std::int64_t> received = take_starts(member_.workspace, setup_.members);
  const auto row = static_cast<std::size_t>(self());
  for (std::size_t peer = 0; peer + 1 < sent.size(); ++peer) {
    sent[peer + 1] = sent[peer] + case_.counts[row][peer];
    received[peer + 1] = received[peer] + case_.counts[peer][row];
  }
  entry(table_.all_to_all, algorithm)
      .run(member_, {sent, received}, case_.dtypes.in, held_, result_room(received.back()));
  member_.workspace.release(mark);
}

void RankCalls::permute(Algorithm algorithm) {
  const std::vector<std::int64_t>& destinations = case_.destinations;
  Hop hop;
  hop.destination = destinations[static_cast<std::size_t>(self())];
  const auto source = std::find(destinations.begin(), destinations.end(), self());
  if (source != destinations.end()) hop.source = source - destinations.begin();
  entry(table_.permute, algorithm)
      .run(member_, hop, case_.n, case_.dtypes.in, held_,
           hop.source < 0 ? nullptr : result_room(case_.n));
}

void RankCalls::call(const Call& what) {
  switch (what.collective) {
    case Collective::all_reduce: return all_reduce(what.algorithm);
    case Collective::reduce_scatter: return reduce_scatter(what.algorithm);
    case Collective::all_gather: return all_gather(what.algorithm);
    case Collective::reduce: return reduce(what.algorithm);
    case Collective::broadcast: return broadcast(what.algorithm);
    case Collective::gather: return gather(what.algorithm);
    case Collective::scatter: return scatter(what.algorithm);
    case Collective::all_to_all: return all_to_all(what.algorithm);
    case Collective::permute: return permute(what.algorithm);
  }
}

void RankCalls::run() {
  member_.workspace.begin(member_.endpoint);
  for (std::size_t at = 0; at < case_.calls.size(); ++at) {
    member_.phase = static_cast<std::int64_t>(at);
    is_last_ = at + 1 == case_.calls.size();
    call(case_.calls[at]);
  }
}

}  // namespace

void run_calls(const CollectiveSetup& setup, const CollectiveTable& table, Endpoint& endpoint,
               const RankMemory& memory, Workspace& workspace) {
  RankCalls(setup, table, endpoint, memory, workspace).run();
}

}  // namespace shardcheck::impl
