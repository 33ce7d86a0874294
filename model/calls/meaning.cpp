#include "meaning.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::model {
namespace {

IndexList counted_up(std::int64_t count) {
  IndexList list(static_cast<std::size_t>(count));
  std::iota(list.begin(), list.end(), std::int64_t{0});
  return list;
}

bool moves_between_vectors(Collective collective) {
  return collective == Collective::all_to_all || collective == Collective::permute;
}

/// What a collective leaves to the members, or what it starts from.
enum class Held : std::uint8_t { all, blocks, all_at_root };

Held input_of(Collective collective) {
  switch (collective) {
    case Collective::all_gather:
    case Collective::gather: return Held::blocks;
    case Collective::broadcast:
    case Collective::scatter: return Held::all_at_root;
    case Collective::all_reduce:
    case Collective::reduce_scatter:
    case Collective::reduce:
    case Collective::all_to_all:
    case Collective::permute: break;
  }
  return Held::all;
}

Held result_of(Collective collective) {
  switch (collective) {
    case Collective::reduce_scatter:
    case Collective::scatter: return Held::blocks;
    case Collective::reduce:
    case Collective::gather: return Held::all_at_root;
    case Collective::all_reduce:
    case Collective::all_gather:
    case Collective::broadcast: return Held::all;
    case Collective::all_to_all:
    case Collective::permute: break;
  }
  SHARDCHECK_REQUIRE(false, "all_to_all and permute leave what was another's");
  return Held::all;
}

/// Whether the operands of ⊕ stay in the order of the members (docs/collectives.md, "Where order
/// matters").
bool keeps_order(const Call& call, std::int64_t root) {
  switch (call.collective) {
    case Collective::all_reduce:
      return call.algorithm == Algorithm::direct || call.algorithm == Algorithm::doubling ||
             call.algorithm == Algorithm::binomial;
    case Collective::reduce_scatter: return call.algorithm == Algorithm::direct;
    case Collective::reduce: return call.algorithm == Algorithm::direct || root == 0;
    case Collective::all_gather:
    case Collective::broadcast:
    case Collective::gather:
    case Collective::scatter:
    case Collective::all_to_all:
    case Collective::permute: break;
  }
  return true;
}

std::string named(std::size_t number, const Call& call) {
  return "call " + std::to_string(number) + ", " + std::string(name(call.collective)) + " by " +
         std::string(name(call.algorithm)) + ": ";
}

/// Sizes that `bruck` would need to be one.
bool are_equal(const CallsCase& subject) {
  std::vector<std::int64_t> sizes;
  if (subject.counts.empty()) {
    for (const IndexList& block : parts(subject.split, subject.n, {member_count(subject)})) {
      sizes.push_back(static_cast<std::int64_t>(block.size()));
    }
  }
  for (const std::vector<std::int64_t>& row : subject.counts) {
    sizes.insert(sizes.end(), row.begin(), row.end());
  }
  return std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
}

}  // namespace

std::optional<std::string> refusal(const CallsCase& subject) {
  for (std::size_t number = 0; number < subject.calls.size(); ++number) {
    const Call& call = subject.calls[number];
    if (!offers(call.collective, call.algorithm)) {
      return named(number, call) + "there is no such algorithm for it";
    }
    if (subject.op == Operator::matrix && !keeps_order(call, subject.root)) {
      return named(number, call) + "it changes the order of the operands, which matters to matrix";
    }
    if (call.collective == Collective::all_to_all && call.algorithm == Algorithm::bruck &&
        !are_equal(subject)) {
      return named(number, call) + "it needs blocks of one size";
    }
  }
  return std::nullopt;
}

Meaning::Meaning(const CallsCase& subject) : case_(subject) {
  SHARDCHECK_REQUIRE(!subject.calls.empty(), "a case asks for at least one collective");
  find_groups();
  if (!subject.counts.empty()) {
    find_moved_by_counts();
    return;
  }
  all_ = counted_up(subject.n);
  const auto& calls = subject.calls;
  if (std::any_of(calls.begin(), calls.end(),
                  [](const Call& call) { return divides(call.collective); })) {
    find_blocks();
  }
  if (moves_between_vectors(calls.back().collective)) find_moved();
}

void Meaning::find_groups() {
  const std::int64_t ranks = rank_count(case_.mesh);
  group_of_rank_.assign(static_cast<std::size_t>(ranks), -1);
  member_of_rank_.assign(static_cast<std::size_t>(ranks), 0);
  std::map<std::vector<std::int64_t>, std::int64_t> groups;  // by the coordinates that they share
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    std::vector<std::int64_t> shared = coordinates(case_.mesh, rank);
    for (const int axis : case_.over) shared[static_cast<std::size_t>(axis)] = 0;
    const auto [found, is_new] =
        groups.try_emplace(std::move(shared), static_cast<std::int64_t>(groups_.size()));
    if (is_new) groups_.emplace_back();
    std::vector<std::int64_t>& members = groups_[static_cast<std::size_t>(found->second)];
    group_of_rank_[static_cast<std::size_t>(rank)] = found->second;
    member_of_rank_[static_cast<std::size_t>(rank)] = static_cast<std::int64_t>(members.size());
    members.push_back(rank);
  }
}

void Meaning::find_blocks() {
  blocks_ = parts(case_.split, case_.n, {member_count()});
  block_of_position_.resize(all_.size());
  place_in_block_.resize(all_.size());
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    for (std::size_t place = 0; place < blocks_[b].size(); ++place) {
      const auto position = static_cast<std::size_t>(blocks_[b][place]);
      block_of_position_[position] = static_cast<std::int64_t>(b);
      place_in_block_[position] = static_cast<std::int64_t>(place);
    }
  }
}

void Meaning::find_moved() {
  moved_.resize(static_cast<std::size_t>(member_count()));
  for (std::int64_t source = 0; source < member_count(); ++source) {
    const auto send = [&](std::int64_t member, const IndexList& positions) {
      for (const std::int64_t position : positions) {
        moved_[static_cast<std::size_t>(member)].push_back(source * case_.n + position);
      }
    };
    if (case_.calls.back().collective == Collective::permute) {
      const std::int64_t member = case_.destinations[static_cast<std::size_t>(source)];
      if (member >= 0) send(member, all_);
    } else {
      for (std::int64_t member = 0; member < member_count(); ++member) send(member, block(member));
    }
  }
}

void Meaning::find_moved_by_counts() {
  moved_.resize(static_cast<std::size_t>(member_count()));
  counted_begin_.push_back(0);
  for (const std::vector<std::int64_t>& row : case_.counts) {
    std::int64_t next = counted_begin_.back();
    for (std::size_t member = 0; member < row.size(); ++member) {
      for (std::int64_t place = 0; place < row[member]; ++place) moved_[member].push_back(next++);
    }
    counted_.push_back(counted_up(next - counted_begin_.back()));
    counted_begin_.push_back(next);
  }
}

const IndexList& Meaning::input(std::int64_t member) const {
  const auto index = static_cast<std::size_t>(member);
  if (!counted_.empty()) return counted_[index];
  switch (input_of(case_.calls.front().collective)) {
    case Held::all: return all_;
    case Held::blocks: return blocks_[index];
    case Held::all_at_root: break;
  }
  return member == case_.root ? all_ : nothing_;
}

const IndexList& Meaning::owned(std::int64_t member) const {
  const auto index = static_cast<std::size_t>(member);
  if (!moved_.empty()) return moved_[index];
  switch (result_of(case_.calls.back().collective)) {
    case Held::all: return all_;
    case Held::blocks: return blocks_[index];
    case Held::all_at_root: break;
  }
  return member == case_.root ? all_ : nothing_;
}

Origin Meaning::origin(std::int64_t coordinate) const {
  if (moved_.empty()) return {-1, coordinate};
  if (counted_.empty()) return {coordinate / case_.n, coordinate % case_.n};
  const auto after = std::upper_bound(counted_begin_.begin(), counted_begin_.end(), coordinate);
  const std::int64_t source = after - counted_begin_.begin() - 1;
  return {source, coordinate - counted_begin_[static_cast<std::size_t>(source)]};
}

std::vector<std::vector<std::int64_t>> Meaning::all_to_all_counts() const {
  if (!case_.counts.empty()) return case_.counts;
  std::vector<std::int64_t> row;
  for (const IndexList& block : blocks_) row.push_back(static_cast<std::int64_t>(block.size()));
  return std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(member_count()), row);
}

}  // namespace shardcheck::model
