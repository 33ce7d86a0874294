#include <algorithm>
#include <iterator>
#include <numeric>

#include <shardcheck/model/calls/meaning.h>
#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/limits.h>

#include "reductions.h"

namespace shardcheck {
namespace {

/// Which old member each new one was: members that are left over join the last.
CallsCase with_members(const CallsCase& subject, Mesh mesh, std::vector<int> over) {
  CallsCase candidate = subject;
  candidate.mesh = std::move(mesh);
  candidate.over = std::move(over);
  const auto members = static_cast<std::size_t>(member_count(candidate));
  Split& split = candidate.split;
  if (split.rule == Split::Rule::sizes) {
    split.sizes.resize(std::max(members, split.sizes.size()));
    for (std::size_t part = members; part < split.sizes.size(); ++part) {
      split.sizes[members - 1] += split.sizes[part];
    }
    split.sizes.resize(members);
  }
  if (split.rule == Split::Rule::sets) {
    split.sets.resize(std::max(members, split.sets.size()));
    for (std::size_t part = members; part < split.sets.size(); ++part) {
      auto& last = split.sets[members - 1];
      last.insert(last.end(), split.sets[part].begin(), split.sets[part].end());
    }
    split.sets.resize(members);
  }
  if (!candidate.counts.empty()) {
    candidate.counts.resize(members);
    for (auto& row : candidate.counts) row.resize(members);
  }
  if (!candidate.destinations.empty()) {
    candidate.destinations.resize(members, -1);
    for (std::int64_t& to : candidate.destinations) {
      if (to >= static_cast<std::int64_t>(members)) to = -1;
    }
  }
  candidate.root = std::min(candidate.root, static_cast<std::int64_t>(members) - 1);
  return candidate;
}

void set_length(CallsCase& candidate, std::int64_t length) {
  candidate.n = length;
  Split& split = candidate.split;
  while (split.rule == Split::Rule::sizes) {
    const std::int64_t excess =
        std::accumulate(split.sizes.begin(), split.sizes.end(), std::int64_t{0}) - length;
    if (excess <= 0) break;
    --*std::max_element(split.sizes.begin(), split.sizes.end());
  }
  for (auto& set : split.sets) {
    std::erase_if(set, [length](std::int64_t index) { return index >= length; });
  }
}

/// Every short length, for what fails because of a remainder fails at some lengths alone, and no
/// walk by ones or halves leads from one to the next; steps that keep a remainder by eight, or by
/// members.
void reduce_length(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  constexpr std::int64_t few = 16;
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(std::min(few + 1, subject.n)));
  std::iota(lengths.begin(), lengths.end(), 0);
  const std::int64_t n = subject.n;
  for (const std::int64_t length :
       {n / 2, n - 64, n - 16, n - 8, n - member_count(subject), n - 2, n - 1}) {
    if (length > few && length < n) lengths.push_back(length);
  }
  for (const std::int64_t length : lengths) {
    candidates.push_back(subject);
    set_length(candidates.back(), length);
  }
  // A part of `sizes` or `sets` goes with its elements.
  for (std::size_t part = 0; part < subject.split.sizes.size(); ++part) {
    std::int64_t& size = candidates.emplace_back(subject).split.sizes[part];
    candidates.back().n -= size > 0 ? 1 : 0;
    size -= size > 0 ? 1 : 0;
  }
}

/// One coordinate goes, wherever it is, with its values.
void take_out_coordinates(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  if (subject.data.regime != Data::Regime::given ||
      subject.n > limits::given_values_when_minimised) {
    return;
  }
  const model::Meaning meaning(subject);
  for (std::int64_t gone = 0; gone < subject.n; ++gone) {
    CallsCase& candidate = candidates.emplace_back(subject);
    for (std::size_t rank = 0; rank < candidate.data.given.size(); ++rank) {
      const auto member = meaning.member_of(static_cast<std::int64_t>(rank));
      const model::IndexList& positions = meaning.input(member);
      const auto at = std::find(positions.begin(), positions.end(), gone) - positions.begin();
      std::vector<Bits>& values = candidate.data.given[rank];
      if (at < std::ssize(values)) values.erase(values.begin() + at);
    }
    std::int64_t end = 0;
    for (std::int64_t& size : candidate.split.sizes) {
      end += size;
      if (gone >= end) continue;
      --size;
      break;
    }
    for (auto& set : candidate.split.sets) {
      std::erase(set, gone);
      for (std::int64_t& position : set) position -= position > gone ? 1 : 0;
    }
    candidate.n -= 1;
  }
}

void plainer_split(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  candidates.push_back(subject);
  candidates.back().split = Split{};
  candidates.push_back(subject);
  candidates.back().split = Split{};
  candidates.back().split.rule = Split::Rule::ceil;
  if (subject.split.rule == Split::Rule::sets) {
    candidates.push_back(subject);
    Split& split = candidates.back().split;
    split.rule = Split::Rule::sizes;
    for (const auto& set : split.sets) split.sizes.push_back(static_cast<std::int64_t>(set.size()));
    split.sets.clear();
  }
  // One element from each part to each other.
  const std::size_t parts = subject.split.sizes.size();
  for (std::size_t from = 0; from < parts; ++from) {
    for (std::size_t to = 0; to < parts; ++to) {
      if (from == to || subject.split.sizes[from] == 0) continue;
      candidates.push_back(subject);
      --candidates.back().split.sizes[from];
      ++candidates.back().split.sizes[to];
    }
  }
}

void reduce_counts(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  for (const std::int64_t most : {0, 1, 2}) {
    candidates.push_back(subject);
    for (auto& row : candidates.back().counts) {
      for (std::int64_t& count : row) count = std::min(count, most);
    }
  }
  for (std::size_t row = 0; row < subject.counts.size(); ++row) {
    for (std::size_t column = 0; column < subject.counts.size(); ++column) {
      if (subject.counts[row][column] == 0) continue;
      candidates.push_back(subject);
      --candidates.back().counts[row][column];
    }
  }
}

void reduce_destinations(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  if (subject.destinations.empty()) return;
  candidates.push_back(subject);
  const auto members = static_cast<std::int64_t>(subject.destinations.size());
  for (std::int64_t m = 0; m < members; ++m) {
    candidates.back().destinations[static_cast<std::size_t>(m)] = (m + 1) % members;
  }
  for (std::size_t m = 0; m < subject.destinations.size(); ++m) {
    candidates.push_back(subject);
    candidates.back().destinations[m] = -1;
  }
}

/// Fewer members and fewer elements at once: which part a remainder goes to depends on both.
void reduce_members_and_length(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  const std::int64_t members = member_count(subject);
  for (const std::int64_t count :
       {std::int64_t{2}, std::int64_t{3}, std::int64_t{4}, members - 1}) {
    if (count < 2 || count >= members) continue;
    const CallsCase fewer = with_members(subject, {{{"x", count}}}, {0});
    for (const std::int64_t length :
         {count - 1, count, count + 1, 2 * count - 1, 2 * count, 2 * count + 1}) {
      if (length >= subject.n) continue;
      candidates.push_back(fewer);
      set_length(candidates.back(), length);
    }
  }
}

}  // namespace

void reduce_mesh(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  const std::int64_t members = member_count(subject);
  for (const std::int64_t count :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, members / 2, members - 1, members}) {
    if (count < 1 || count > members) continue;
    candidates.push_back(with_members(subject, {{{"x", count}}}, {0}));
  }
  reduce_members_and_length(subject, candidates);
  for (std::size_t axis = 0; axis < subject.mesh.axes.size(); ++axis) {
    const std::int64_t size = subject.mesh.axes[axis].size;
    for (const std::int64_t smaller : {std::int64_t{1}, std::int64_t{2}, size - 1}) {
      if (smaller < 1 || smaller >= size) continue;
      Mesh mesh = subject.mesh;
      mesh.axes[axis].size = smaller;
      candidates.push_back(with_members(subject, std::move(mesh), subject.over));
    }
    Mesh mesh = subject.mesh;
    mesh.axes.erase(mesh.axes.begin() + static_cast<std::ptrdiff_t>(axis));
    std::vector<int> over;
    for (const int one : subject.over) {
      if (one != static_cast<int>(axis))
        over.push_back(one - (one > static_cast<int>(axis) ? 1 : 0));
    }
    candidates.push_back(with_members(subject, std::move(mesh), std::move(over)));
  }
}

void reduce_sizes(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  if (subject.calls.size() > 1) {
    for (const Call& call : subject.calls) {
      candidates.push_back(subject);
      candidates.back().calls = {call};
    }
    for (std::size_t gone = 0; gone < subject.calls.size(); ++gone) {
      auto& calls = candidates.emplace_back(subject).calls;
      calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(gone));
    }
  }
  if (subject.counts.empty()) {
    reduce_length(subject, candidates);
    take_out_coordinates(subject, candidates);
    plainer_split(subject, candidates);
  } else {
    reduce_counts(subject, candidates);
    candidates.push_back(subject);
    candidates.back().counts.clear();
    candidates.back().n = member_count(subject);
  }
  reduce_destinations(subject, candidates);
}

}  // namespace shardcheck
