#include "temporaries.h"

#include <algorithm>

namespace shardcheck::model {
namespace {

/// As it is stored, as it travels, and in another order.
constexpr std::int64_t copies = 3;
constexpr std::int64_t width_min = 4;

/// Elements that a call leaves with a member.
std::int64_t elements_after(const CallsCase& subject, const Meaning& meaning, Collective collective,
                            std::int64_t member) {
  switch (collective) {
    case Collective::all_reduce:
    case Collective::all_gather:
    case Collective::broadcast: return subject.n;
    case Collective::reduce_scatter:
    case Collective::scatter: return static_cast<std::int64_t>(meaning.block(member).size());
    case Collective::reduce:
    case Collective::gather: return member == subject.root ? subject.n : 0;
    case Collective::all_to_all:
    case Collective::permute: break;
  }
  // Those come last.
  return static_cast<std::int64_t>(meaning.owned(member).size());
}

}  // namespace

std::vector<std::int64_t> temporary_bytes_max(const CallsCase& subject, const Meaning& meaning,
                                              const std::vector<Transfer>& sent) {
  const std::int64_t width = std::max<std::int64_t>(
      {width_min, info(subject.dtypes.in).bytes, info(subject.dtypes.acc).bytes});
  std::vector<std::int64_t> bytes(static_cast<std::size_t>(rank_count(subject.mesh)), 0);
  for (std::size_t rank = 0; rank < bytes.size(); ++rank) {
    const std::int64_t member = meaning.member_of(static_cast<std::int64_t>(rank));
    auto before = static_cast<std::int64_t>(meaning.input(member).size());
    for (const Call& call : subject.calls) {
      const std::int64_t after = elements_after(subject, meaning, call.collective, member);
      bytes[rank] += copies * width * (before + after);
      before = after;
    }
  }
  for (const Transfer& transfer : sent) {
    bytes[static_cast<std::size_t>(transfer.source)] += transfer.bytes;
  }
  return bytes;
}

}  // namespace shardcheck::model
