#include "calls_rules.h"

#include <algorithm>
#include <numeric>

#include "dtype_rules.h"

namespace shardcheck {
namespace {

/// What the members of a group hold between two calls.
enum class Held : std::uint8_t { all, blocks, at_root, nothing_to_go_on_from };

Held held_after(Collective collective) {
  switch (collective) {
    case Collective::all_reduce:
    case Collective::all_gather:
    case Collective::broadcast: return Held::all;
    case Collective::reduce_scatter:
    case Collective::scatter: return Held::blocks;
    case Collective::reduce:
    case Collective::gather: return Held::at_root;
    case Collective::all_to_all:
    case Collective::permute: break;
  }
  return Held::nothing_to_go_on_from;
}

Held needed_by(Collective collective) {
  switch (collective) {
    case Collective::all_gather:
    case Collective::gather: return Held::blocks;
    case Collective::broadcast:
    case Collective::scatter: return Held::at_root;
    default: return Held::all;
  }
}

/// Elements of part `part` of `count`. docs/case-format.md, "Splits".
std::int64_t part_size(const Split& split, std::int64_t extent, std::int64_t count,
                       std::int64_t part) {
  switch (split.rule) {
    case Split::Rule::balanced: return extent / count + (part < extent % count ? 1 : 0);
    case Split::Rule::ceil: {
      const std::int64_t most = (extent + count - 1) / count;
      return std::clamp<std::int64_t>(extent - part * most, 0, most);
    }
    case Split::Rule::sizes: return split.sizes[static_cast<std::size_t>(part)];
    case Split::Rule::sets:
      return static_cast<std::int64_t>(split.sets[static_cast<std::size_t>(part)].size());
    case Split::Rule::cyclic: break;
  }
  // A block more than there are elements is one block of all of them.
  const std::int64_t block = std::min(split.block, std::max<std::int64_t>(extent, 1));
  const std::int64_t whole_turns = extent / (block * count);
  const std::int64_t rest = extent - whole_turns * block * count;
  return whole_turns * block + std::clamp<std::int64_t>(rest - part * block, 0, block);
}

}  // namespace

std::optional<std::string> cannot_follow(const std::vector<Call>& before, Collective next) {
  if (before.empty()) return std::nullopt;
  const Held held = held_after(before.back().collective);
  const Held needed = needed_by(next);
  // The root of a broadcast or a scatter is among those that hold all.
  if (held == needed || (held == Held::all && needed == Held::at_root)) return std::nullopt;
  switch (held) {
    case Held::all: return "a collective that starts from whole vectors";
    case Held::blocks: return "all_gather or gather, which start from blocks";
    case Held::at_root: return "broadcast or scatter, which start from the root";
    case Held::nothing_to_go_on_from: break;
  }
  return "nothing behind all_to_all or permute";
}

bool may_accumulate(Dtype in, Dtype acc) {
  return info(in).is_float ? is_legal({in, acc, in, in}) : acc == in;
}

bool is_for(Operator op, Dtype in) {
  switch (op) {
    case Operator::bit_and:
    case Operator::bit_or:
    case Operator::bit_xor: return !info(in).is_float;
    case Operator::matrix: return in == Dtype::u32;
    case Operator::sum:
    case Operator::product:
    case Operator::min:
    case Operator::max:
    case Operator::average: break;
  }
  return true;
}

bool may_be_in_any_order(const std::vector<Call>& calls) {
  return calls.size() == 1 && reduces(calls[0].collective);
}

std::int64_t member_of(const CallsCase& subject, std::int64_t rank) {
  std::int64_t member = 0;
  std::int64_t weight = 1;
  for (std::size_t axis = subject.mesh.axes.size(); axis-- > 0;) {
    const std::int64_t size = subject.mesh.axes[axis].size;
    if (std::find(subject.over.begin(), subject.over.end(), static_cast<int>(axis)) !=
        subject.over.end()) {
      member += weight * (rank % size);
      weight *= size;
    }
    rank /= size;
  }
  return member;
}

std::int64_t input_elements(const CallsCase& subject, std::int64_t rank) {
  const std::int64_t member = member_of(subject, rank);
  if (!subject.counts.empty()) {
    const std::vector<std::int64_t>& row = subject.counts[static_cast<std::size_t>(member)];
    return std::accumulate(row.begin(), row.end(), std::int64_t{0});
  }
  switch (needed_by(subject.calls.front().collective)) {
    case Held::blocks: return part_size(subject.split, subject.n, member_count(subject), member);
    case Held::at_root: return member == subject.root ? subject.n : 0;
    default: return subject.n;
  }
}

}  // namespace shardcheck
