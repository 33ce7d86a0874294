// Mistakes inside an algorithm: another function stands in the table.

#include <algorithm>
#include <cstring>
#include <vector>

#include <shardcheck/impl/collectives/binomial.h>
#include <shardcheck/impl/collectives/doubling.h>
#include <shardcheck/impl/collectives/folding.h>
#include <shardcheck/impl/collectives/pairwise.h>
#include <shardcheck/impl/collectives/partials.h>
#include <shardcheck/impl/collectives/ring.h>

#include "fault_tables.h"

namespace shardcheck {

namespace {

using impl::BlockStarts;
using impl::Member;
using impl::Reduction;

std::int64_t sum_width(const Reduction& reduction) {
  return impl::bytes_of(impl::storage_of(reduction.acc));
}

/// The function of an algorithm, to be replaced. Requires: the collective has it.
template <typename Entries>
auto& function_of(Entries& entries, Algorithm algorithm) {
  auto* found = entries.data();
  while (found->algorithm != algorithm) ++found;
  return found->run;
}

/// Whose data is sent before the doubling begins counts twice: it is kept by its sender, who takes
/// part in spite of it, or by the receiver.
void keeps_the_folded_in(const Member& member, std::int64_t count, const Reduction& reduction,
                         std::byte* sums, std::byte* finished) {
  const impl::Folding folding = impl::folding_of(member.group);
  if (folding.self < 0) {
    const std::vector<std::byte> own(sums, sums + count * sum_width(reduction));
    impl::combine_stored(reduction.op, impl::Side::left, reduction.acc, own.data(), sums, count);
  }
  impl::doubling_all_reduce(member, count, reduction, sums, finished);
}

/// Each block stands where it would if all were as long as the longest.
void gathers_by_ceil(const Member& member, BlockStarts starts, Dtype dtype, std::byte* elements) {
  impl::ring_all_gather(member, starts, dtype, elements);
  const std::int64_t width = info(dtype).bytes;
  const std::int64_t total = starts.back();
  const std::int64_t most = (total + member.group.count - 1) / member.group.count;
  const std::vector<std::byte> right(elements, elements + total * width);
  for (std::int64_t block = 0; block < member.group.count; ++block) {
    const std::int64_t length = impl::length_of(starts, block);
    const std::int64_t to = std::min(block * most, total - length);
    std::copy_n(right.data() + impl::start_of(starts, block) * width, length * width,
                elements + to * width);
  }
}

/// An average over a group, divided by the number of all ranks.
void divides_by_all_ranks(const Member& member, std::int64_t root, std::int64_t count,
                          const Reduction& reduction, std::byte* sums) {
  if (reduction.op != Operator::average) {
    impl::binomial_reduce(member, root, count, reduction, sums);
    return;
  }
  Reduction sum = reduction;
  sum.op = Operator::sum;
  impl::binomial_reduce(member, root, count, sum, sums);
  Member among_all = member;
  among_all.group.count = member.endpoint.rank_count();
  if (member.group.self == root) impl::divide_if_average(among_all, reduction, sums, count);
}

/// What arrives takes the place of what was there.
void overwrites(const Member& member, BlockStarts starts, const Reduction& reduction,
                std::byte* sums) {
  const std::int64_t begin = impl::start_of(starts, member.group.self) * sum_width(reduction);
  const std::int64_t bytes = impl::length_of(starts, member.group.self) * sum_width(reduction);
  const std::vector<std::byte> own(sums + begin, sums + begin + bytes);
  impl::pairwise_reduce_scatter(member, starts, reduction, sums);
  std::ranges::copy(own, sums + begin);
}

}  // namespace

std::vector<PlantedFault> algorithm_faults() {
  return {
      {"starts_at_its_own_rank",
       "a direct reduce-scatter begins with its own value, where order matters too",
       "class L: open-mpi/ompi#8010, the order of a non-commutative operator is lost",
       Invariant::value, planted_table([](impl::CollectiveTable& table) {
         function_of(table.reduce_scatter, Algorithm::direct) = &impl::pairwise_reduce_scatter;
       })},
      {"folded_in_rank_also_kept",
       "where P is no power of two, doubling counts the ranks that are folded in twice",
       "class C: folded-in rank also kept", Invariant::value,
       planted_table([](impl::CollectiveTable& table) {
         function_of(table.all_reduce, Algorithm::doubling) = &keeps_the_folded_in;
       })},
      {"offset_by_ceil", "a ring all-gather puts block r at r times the longest block",
       "class B: pytorch/pytorch#144109, uneven shards taken for even", Invariant::value,
       planted_table([](impl::CollectiveTable& table) {
         function_of(table.all_gather, Algorithm::ring) = &gathers_by_ceil;
       })},
      {"average_divided_by_all_ranks",
       "an average over some mesh axes is divided by the number of all ranks",
       "class E: the size of the wrong mesh axis", Invariant::value,
       planted_table([](impl::CollectiveTable& table) {
         function_of(table.reduce, Algorithm::binomial) = &divides_by_all_ranks;
       })},
      {"nothing_is_added", "a pairwise reduce-scatter keeps what a rank had before",
       "class D: one rank's add skipped; NVIDIA/Megatron-LM#5337, a temporary is reduced",
       Invariant::value, planted_table([](impl::CollectiveTable& table) {
         function_of(table.reduce_scatter, Algorithm::pairwise) = &overwrites;
       })},
  };
}

}  // namespace shardcheck
