#include "simulated_group.h"

#include <numeric>

#include <shardcheck/model/exact/format.h>

namespace shardcheck::model {
namespace {

std::vector<std::int64_t> sizes_of(const Split& split, std::int64_t n, std::int64_t part_count) {
  if (split.rule == Split::Rule::sizes) return split.sizes;
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(part_count), 0);
  const std::int64_t ceil = (n + part_count - 1) / part_count;
  for (std::int64_t p = 0; p < n; ++p) {
    const std::int64_t dealt = split.rule == Split::Rule::ceil ? p / ceil : p % part_count;
    ++sizes[static_cast<std::size_t>(dealt)];
  }
  return sizes;
}

}  // namespace

std::vector<IndexList> counted_out(const Split& split, std::int64_t n, std::int64_t part_count) {
  if (split.rule == Split::Rule::sets) return split.sets;
  std::vector<IndexList> parts(static_cast<std::size_t>(part_count));
  if (split.rule == Split::Rule::cyclic) {
    for (std::int64_t p = 0; p < n; ++p) {
      parts[static_cast<std::size_t>(p / split.block % part_count)].push_back(p);
    }
    return parts;
  }
  const std::vector<std::int64_t> sizes = sizes_of(split, n, part_count);
  std::int64_t p = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    while (static_cast<std::int64_t>(parts[part].size()) < sizes[part]) parts[part].push_back(p++);
  }
  return parts;
}

SimulatedGroup::SimulatedGroup(const CallsCase& subject, std::vector<Elements> start)
    : case_(subject),
      count_(static_cast<std::int64_t>(start.size())),
      all_(static_cast<std::size_t>(subject.n)),
      held_(std::move(start)) {
  while (2 * power_ <= count_) power_ *= 2;
  std::iota(all_.begin(), all_.end(), std::int64_t{0});
  if (subject.counts.empty()) blocks_ = counted_out(subject.split, subject.n, count_);
}

std::int64_t SimulatedGroup::next(Member r, std::int64_t distance) const {
  return ((r + distance) % count_ + count_) % count_;
}

Elements SimulatedGroup::send(Member source, Member destination, const Elements& from,
                              const IndexList& positions, Dtype dtype) {
  Elements message;
  for (const std::int64_t p : positions) message[p] = from.at(p);
  const auto bytes = static_cast<std::int64_t>(positions.size()) * info(dtype).bytes;
  if (source != destination && bytes > 0) sent_[{source, destination}] += bytes;
  return message;
}

/// Rounded to wire, and widened again by whoever receives it.
Elements SimulatedGroup::send_partials(Member source, Member destination, const Elements& from,
                                       const IndexList& positions) {
  Elements message = send(source, destination, from, positions, case_.dtypes.wire);
  for (auto& [p, value] : message) {
    value = through_wire(value);
  }
  return message;
}

void SimulatedGroup::move(Member source, Member destination, std::vector<Elements>& to,
                          const IndexList& positions) {
  for (const auto& [p, value] :
       send(source, destination, held(source), positions, case_.dtypes.out)) {
    to[static_cast<std::size_t>(destination)][p] = value;
  }
}

Bits SimulatedGroup::widen(Bits x) const { return convert(case_.dtypes.in, case_.dtypes.acc, x); }

Bits SimulatedGroup::through_wire(Bits x) const {
  return convert(case_.dtypes.wire, case_.dtypes.acc,
                 convert(case_.dtypes.acc, case_.dtypes.wire, x));
}

Bits SimulatedGroup::combine(Bits x, Bits y) const {
  const Dtype acc = case_.dtypes.acc;
  const auto byte = [](Bits matrix, int entry) { return (matrix >> 8 * entry & 255) % 251; };
  switch (case_.op) {
    case Operator::sum:
    case Operator::average: return add(acc, x, y);
    case Operator::product: return multiply(acc, x, y);
    case Operator::min:
    case Operator::max: {
      if (is_nan(acc, x) || is_nan(acc, y)) return is_nan(acc, x) ? x : y;
      const bool is_first_less = order_of(acc, x) < order_of(acc, y);
      return is_first_less == (case_.op == Operator::min) ? x : y;
    }
    case Operator::bit_and: return x & y;
    case Operator::bit_or: return x | y;
    case Operator::bit_xor: return x ^ y;
    case Operator::matrix: break;
  }
  const Bits a = (byte(x, 0) * byte(y, 0) + byte(x, 1) * byte(y, 2)) % 251;
  const Bits b = (byte(x, 0) * byte(y, 1) + byte(x, 1) * byte(y, 3)) % 251;
  const Bits c = (byte(x, 2) * byte(y, 0) + byte(x, 3) * byte(y, 2)) % 251;
  const Bits d = (byte(x, 2) * byte(y, 1) + byte(x, 3) * byte(y, 3)) % 251;
  return a | b << 8 | c << 16 | d << 24;
}

Bits SimulatedGroup::finished(Bits x) const {
  const Bits result = case_.op == Operator::average ? divide(case_.dtypes.acc, x, count_) : x;
  return convert(case_.dtypes.acc, case_.dtypes.out, result);
}

void SimulatedGroup::combine_after(Member r, const Elements& received) {
  for (const auto& [p, value] : received) partial(r)[p] = combine(partial(r).at(p), value);
}

void SimulatedGroup::combine_before(Member r, const Elements& received) {
  for (const auto& [p, value] : received) partial(r)[p] = combine(value, partial(r).at(p));
}

void SimulatedGroup::keep(Member r, const IndexList& positions) {
  for (const std::int64_t p : positions) {
    held_[static_cast<std::size_t>(r)][p] = finished(partial(r).at(p));
  }
}

/// x_0 ⊕ x_1 ⊕ …, everybody's but the end's own sent to it.
void SimulatedGroup::reduce_in_turn(Member end, const IndexList& positions) {
  Elements value;
  for (Member m = 0; m < count_; ++m) {
    Elements arrived = m == end ? partial(end) : send_partials(m, end, partial(m), positions);
    for (const std::int64_t p : positions) {
      value[p] = m == 0 ? arrived.at(p) : combine(value.at(p), arrived.at(p));
    }
  }
  for (const auto& [p, result] : value) {
    held_[static_cast<std::size_t>(end)][p] = finished(result);
  }
}

SimulatedGroup::Member SimulatedGroup::folded_member(std::int64_t v) const {
  return v < count_ - power_ ? 2 * v + 1 : v + count_ - power_;
}

std::vector<IndexList> SimulatedGroup::folded(const std::vector<IndexList>& blocks) const {
  std::vector<IndexList> result;
  for (std::int64_t v = 0; v < power_; ++v) {
    const Member m = folded_member(v);
    IndexList positions = blocks[static_cast<std::size_t>(m)];
    if (v < count_ - power_) {
      const IndexList& other = blocks[static_cast<std::size_t>(m - 1)];
      positions.insert(positions.end(), other.begin(), other.end());
    }
    result.push_back(positions);
  }
  return result;
}

void SimulatedGroup::fold(const IndexList& positions) {
  for (std::int64_t v = 0; v < count_ - power_; ++v) {
    combine_before(2 * v + 1, send_partials(2 * v, 2 * v + 1, partial(2 * v), positions));
  }
}

/// Leaves folded rank v its own block, combined but not finished.
void SimulatedGroup::halve(const std::vector<IndexList>& folded_blocks) {
  for (std::int64_t d = power_ / 2; d >= 1; d /= 2) {
    std::vector<Elements> inbox(static_cast<std::size_t>(power_));
    for (std::int64_t v = 0; v < power_; ++v) {
      const std::int64_t partner = v ^ d;
      IndexList positions;
      for (std::int64_t u = 0; u < power_; ++u) {
        // Those that agree with the partner in bit d and all above.
        if ((u ^ partner) >= d) continue;
        const IndexList& block = folded_blocks[static_cast<std::size_t>(u)];
        positions.insert(positions.end(), block.begin(), block.end());
      }
      inbox[static_cast<std::size_t>(partner)] = send_partials(
          folded_member(v), folded_member(partner), partial(folded_member(v)), positions);
    }
    for (std::int64_t v = 0; v < power_; ++v) {
      combine_after(folded_member(v), inbox[static_cast<std::size_t>(v)]);
    }
  }
}

void SimulatedGroup::reduce_scatter(Algorithm algorithm, const std::vector<IndexList>& blocks) {
  const auto block = [&](Member b) { return blocks[static_cast<std::size_t>(next(b, 0))]; };
  if (algorithm == Algorithm::direct) {
    for (Member b = 0; b < count_; ++b) reduce_in_turn(b, block(b));
    return;
  }
  if (algorithm == Algorithm::halving) {
    fold(all_);
    halve(folded(blocks));
    for (std::int64_t v = 0; v < power_; ++v) {
      keep(folded_member(v), folded(blocks)[static_cast<std::size_t>(v)]);
    }
    for (std::int64_t v = 0; v < count_ - power_; ++v) {
      move(2 * v + 1, 2 * v, held_, block(2 * v));
    }
    return;
  }
  const std::vector<Elements> own = partials_;
  for (std::int64_t step = 1; step < count_; ++step) {
    std::vector<Elements> inbox(static_cast<std::size_t>(count_));
    for (Member r = 0; r < count_; ++r) {
      if (algorithm == Algorithm::ring) {
        inbox[static_cast<std::size_t>(next(r, 1))] =
            send_partials(r, next(r, 1), partial(r), block(next(r, -step)));
      } else {
        inbox[static_cast<std::size_t>(next(r, step))] =
            send_partials(r, next(r, step), own[static_cast<std::size_t>(r)], block(next(r, step)));
      }
    }
    for (Member r = 0; r < count_; ++r) {
      const Elements& received = inbox[static_cast<std::size_t>(r)];
      if (algorithm == Algorithm::ring) {
        combine_before(r, received);
      } else {
        combine_after(r, received);
      }
    }
  }
  for (Member r = 0; r < count_; ++r) keep(r, block(r));
}

void SimulatedGroup::all_reduce(Algorithm algorithm) {
  const auto cut = [&](std::int64_t parts) { return counted_out(Split{}, case_.n, parts); };
  switch (algorithm) {
    case Algorithm::doubling:
      fold(all_);
      for (std::int64_t d = 1; d < power_; d *= 2) {
        const std::vector<Elements> before = partials_;
        for (std::int64_t v = 0; v < power_; ++v) {
          const Member m = folded_member(v);
          const Member partner = folded_member(v ^ d);
          const Elements received =
              send_partials(partner, m, before[static_cast<std::size_t>(partner)], all_);
          for (auto& [p, value] : partial(m)) {
            value = through_wire(value);
          }
          if (v < (v ^ d)) {
            combine_after(m, received);
          } else {
            combine_before(m, received);
          }
        }
      }
      for (std::int64_t v = 0; v < power_; ++v) keep(folded_member(v), all_);
      break;
    case Algorithm::rabenseifner:
      fold(all_);
      halve(cut(power_));
      for (std::int64_t v = 0; v < power_; ++v) {
        keep(folded_member(v), cut(power_)[static_cast<std::size_t>(v)]);
      }
      gather_by_doubling(cut(power_));
      break;
    case Algorithm::binomial: reduce(algorithm, 0); return broadcast(algorithm, 0);
    default: reduce_scatter(algorithm, cut(count_)); return all_gather(algorithm, cut(count_));
  }
  for (std::int64_t v = 0; v < count_ - power_; ++v) move(2 * v + 1, 2 * v, held_, all_);
}

void SimulatedGroup::reduce_below(Member root, std::int64_t u) {
  const Algorithm algorithm = Algorithm::binomial;
  for (const std::int64_t child : children(algorithm, u)) {
    reduce_below(root, child);
    combine_after(next(root, u), send_partials(next(root, child), next(root, u),
                                               partial(next(root, child)), all_));
  }
}

void SimulatedGroup::reduce(Algorithm algorithm, Member root) {
  if (algorithm == Algorithm::direct) return reduce_in_turn(root, all_);
  if (algorithm == Algorithm::binomial) {
    reduce_below(root, 0);
  } else {
    for (std::int64_t u = count_ - 1; u > 0; --u) {
      combine_after(next(root, u - 1),
                    send_partials(next(root, u), next(root, u - 1), partial(next(root, u)), all_));
    }
  }
  keep(root, all_);
}

void SimulatedGroup::run(const Call& call) {
  sent_.clear();
  if (reduces(call.collective)) {
    partials_ = std::exchange(held_, std::vector<Elements>(held_.size()));
    for (Elements& elements : partials_) {
      for (auto& [p, value] : elements) value = widen(value);
    }
  }
  const Member root = case_.root;
  switch (call.collective) {
    case Collective::all_reduce: return all_reduce(call.algorithm);
    case Collective::reduce_scatter: reduce_scatter(call.algorithm, blocks_); break;
    case Collective::reduce: return reduce(call.algorithm, root);
    case Collective::all_gather: return all_gather(call.algorithm, blocks_);
    case Collective::gather: gather_below(call.algorithm, root, 0, blocks_); break;
    case Collective::broadcast: return broadcast(call.algorithm, root);
    case Collective::scatter: scatter_below(call.algorithm, root, 0, blocks_); break;
    case Collective::all_to_all: return all_to_all(call.algorithm);
    case Collective::permute: return permute();
  }
  // What was only passed on isn't part of a result.
  for (Member r = 0; r < count_; ++r) {
    Elements own;
    if (call.collective == Collective::gather) {
      if (r == root) own = held(r);
    } else {
      for (const std::int64_t p : blocks_[static_cast<std::size_t>(r)]) own[p] = held(r).at(p);
    }
    held_[static_cast<std::size_t>(r)] = own;
  }
}

}  // namespace shardcheck::model
