#include "arena.h"

#include <algorithm>
#include <cstring>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/inputs.h>

namespace shardcheck {

namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t guard_bytes = 64;
/// A prime, so that poison never repeats in step with a row.
constexpr std::size_t poison_period = 1021;
/// Above this, memory that a case doesn't need is given back.
constexpr std::size_t kept_bytes = std::size_t{64} << 20;

std::size_t aligned(std::size_t offset) { return (offset + alignment - 1) / alignment * alignment; }

/// SplitMix64's output function: good enough to make neighbours unlike each other.
std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

/// Bits that hold the exponent of a float dtype, all ones in a NaN.
Bits exponent_mask(Dtype dtype) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return 0x7f;  // its only NaN has the significand all ones too
    case Dtype::f8e5m2: return 0x7c;
    case Dtype::f16: return 0x7c00;
    case Dtype::bf16: return 0x7f80;
    case Dtype::f32: return 0x7f800000;
    case Dtype::f64: return 0x7ff0000000000000;
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16:
    case Dtype::i32:
    case Dtype::u32:
    case Dtype::i64:
    case Dtype::u64: return 0;
  }
  return 0;
}

Bits width_mask(Dtype dtype) {
  const int bits = 8 * info(dtype).bytes;
  return bits == 64 ? ~Bits{0} : (Bits{1} << static_cast<unsigned>(bits)) - 1;
}

/// A float's lowest bit is set, so that it is a NaN other than the one that arithmetic makes.
Bits poison_word(Dtype dtype, std::uint64_t index) {
  const Bits mask = exponent_mask(dtype);
  return (mixed(index) & width_mask(dtype)) | mask | (mask == 0 ? 0U : 1U);
}

std::byte canary(std::size_t offset) {
  return static_cast<std::byte>(0xa5U ^ (offset * 37U & 0xffU));
}

template <typename Word>
void gather_as(const std::vector<Bits>& values, std::int64_t columns, const model::Shard& shard,
               std::byte* to) {
  for (const std::int64_t row : shard.rows) {
    const Bits* from = values.data() + row * columns;
    for (const std::int64_t column : shard.columns) {
      const Word word = static_cast<Word>(from[column]);
      std::memcpy(to, &word, sizeof word);
      to += sizeof word;
    }
  }
}

void gather(const std::vector<Bits>& values, std::int64_t columns, const model::Shard& shard,
            Dtype dtype, std::byte* to) {
  switch (info(dtype).bytes) {
    case 1: return gather_as<std::uint8_t>(values, columns, shard, to);
    case 2: return gather_as<std::uint16_t>(values, columns, shard, to);
    case 4: return gather_as<std::uint32_t>(values, columns, shard, to);
    default: return gather_as<std::uint64_t>(values, columns, shard, to);
  }
}

template <typename Word>
void store_as(const std::vector<Bits>& pattern, std::size_t start, std::size_t count,
              std::byte* to) {
  std::size_t at = start;
  for (std::size_t index = 0; index < count; ++index) {
    const Word word = static_cast<Word>(pattern[at]);
    std::memcpy(to + index * sizeof word, &word, sizeof word);
    if (++at == pattern.size()) at = 0;
  }
}

std::size_t element_count(const model::Shard& shard) {
  return shard.rows.size() * shard.columns.size();
}

std::size_t poison_start(std::int64_t rank, std::uint64_t salt) {
  return (static_cast<std::size_t>(rank) * 389 + static_cast<std::size_t>(salt) * 101) %
         poison_period;
}

}  // namespace

void Arena::fill(const Case& subject, const model::PlanState& start, std::uint64_t salt) {
  const auto count = static_cast<std::size_t>(rank_count(subject.mesh));
  SHARDCHECK_REQUIRE(start.a.shards.size() == count && start.b.shards.size() == count,
                     "a plan's state has one shard a rank");
  in_ = subject.dtypes.in;
  out_ = subject.dtypes.out;
  output_elements_ = subject.i * subject.j;
  salt_ = salt;
  if (poison_for_ != out_) {
    poison_for_ = out_;
    poison_.resize(poison_period);
    for (std::size_t index = 0; index < poison_period; ++index) {
      poison_[index] = poison_word(out_, index);
    }
  }
  lay_out(start);
  fill_inputs(subject, start);
  fill_outputs_and_guards();
}

void Arena::lay_out(const model::PlanState& start) {
  const auto in_bytes = static_cast<std::size_t>(info(in_).bytes);
  const auto out_bytes = static_cast<std::size_t>(info(out_).bytes);
  places_.resize(start.a.shards.size());
  std::size_t offset = 0;
  std::size_t copied = 0;
  for (std::size_t rank = 0; rank < places_.size(); ++rank) {
    Place& place = places_[rank];
    place.begin = offset;
    place.bytes = {element_count(start.a.shards[rank]) * in_bytes,
                   element_count(start.b.shards[rank]) * in_bytes,
                   static_cast<std::size_t>(output_elements_) * out_bytes};
    for (std::size_t tensor = 0; tensor < 3; ++tensor) {
      place.buffer[tensor] = aligned(offset + guard_bytes);
      offset = place.buffer[tensor] + place.bytes[tensor];
    }
    offset += guard_bytes;
    place.end = offset;
    place.copy_a = copied;
    place.copy_b = copied + place.bytes[0];
    copied += place.bytes[0] + place.bytes[1];
  }
  const std::size_t needed = offset + alignment;
  const bool is_wasteful = capacity_ > kept_bytes && needed < capacity_ / 4;
  if (needed > capacity_ || is_wasteful) {
    memory_.reset();
    memory_ = std::make_unique_for_overwrite<std::byte[]>(needed);
    capacity_ = needed;
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    base_ = (alignment - address % alignment) % alignment;
    pristine_.shrink_to_fit();
  }
  pristine_.resize(copied);
}

void Arena::fill_inputs(const Case& subject, const model::PlanState& start) {
  const Inputs inputs(subject);
  for (const Tensor tensor : {Tensor::a, Tensor::b}) {
    const std::int64_t rows = extent(subject, axes_of(tensor)[0]);
    const std::int64_t columns = extent(subject, axes_of(tensor)[1]);
    values_.clear();
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        values_.push_back(inputs.at(tensor, row, column));
      }
    }
    const auto index = static_cast<std::size_t>(tensor);
    const auto& shards = (tensor == Tensor::a ? start.a : start.b).shards;
    for (std::size_t rank = 0; rank < places_.size(); ++rank) {
      const Place& place = places_[rank];
      std::byte* to = memory_.get() + base_ + place.buffer[index];
      gather(values_, columns, shards[rank], in_, to);
      const std::size_t copy = tensor == Tensor::a ? place.copy_a : place.copy_b;
      std::copy_n(to, place.bytes[index], pristine_.data() + copy);
    }
  }
}

void Arena::fill_outputs_and_guards() {
  std::byte* memory = memory_.get() + base_;
  const auto guard = [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) memory[at] = canary(at);
  };
  ranks_.resize(places_.size());
  for (std::size_t rank = 0; rank < places_.size(); ++rank) {
    const Place& place = places_[rank];
    guard(place.begin, place.buffer[0]);
    guard(place.buffer[0] + place.bytes[0], place.buffer[1]);
    guard(place.buffer[1] + place.bytes[1], place.buffer[2]);
    guard(place.buffer[2] + place.bytes[2], place.end);
    const std::size_t start = poison_start(static_cast<std::int64_t>(rank), salt_);
    const auto count = static_cast<std::size_t>(output_elements_);
    std::byte* to = memory + place.buffer[2];
    switch (info(out_).bytes) {
      case 1: store_as<std::uint8_t>(poison_, start, count, to); break;
      case 2: store_as<std::uint16_t>(poison_, start, count, to); break;
      case 4: store_as<std::uint32_t>(poison_, start, count, to); break;
      default: store_as<std::uint64_t>(poison_, start, count, to);
    }
    ranks_[rank] = {{memory + place.buffer[0], place.bytes[0]},
                    {memory + place.buffer[1], place.bytes[1]},
                    {memory + place.buffer[2], place.bytes[2]}};
  }
}

std::optional<std::int64_t> Arena::changed_input(std::int64_t rank, Tensor tensor) const {
  const auto index = static_cast<std::size_t>(tensor);
  const Place& place = places_[static_cast<std::size_t>(rank)];
  const std::byte* now = memory_.get() + base_ + place.buffer[index];
  const std::byte* before = pristine_.data() + (tensor == Tensor::a ? place.copy_a : place.copy_b);
  if (place.bytes[index] == 0 || std::memcmp(now, before, place.bytes[index]) == 0) {
    return std::nullopt;
  }
  const auto differs = std::mismatch(now, now + place.bytes[index], before).first - now;
  return differs / info(in_).bytes;
}

bool Arena::guard_is_whole(std::size_t begin, std::size_t end) const {
  const std::byte* memory = memory_.get() + base_;
  for (std::size_t at = begin; at < end; ++at) {
    if (memory[at] != canary(at)) return false;
  }
  return true;
}

std::optional<Arena::GuardDamage> Arena::damaged_guard(std::int64_t rank) const {
  const Place& place = places_[static_cast<std::size_t>(rank)];
  const std::byte* memory = memory_.get() + base_;
  std::size_t guard_begin = place.begin;
  for (std::size_t index = 0; index <= 3; ++index) {
    const std::size_t guard_end = index < 3 ? place.buffer[index] : place.end;
    if (!guard_is_whole(guard_begin, guard_end)) {
      std::size_t at = guard_begin;
      while (memory[at] == canary(at)) ++at;
      // The nearer buffer is the likelier culprit: one past the end is commoner than one before.
      const bool is_after = index > 0 && (index == 3 || at - guard_begin < guard_bytes / 2);
      const auto tensor = static_cast<Tensor>(is_after ? index - 1 : index);
      const auto anchor = static_cast<std::int64_t>(is_after ? guard_begin : guard_end);
      return GuardDamage{tensor, static_cast<std::int64_t>(at) - anchor};
    }
    if (index < 3) guard_begin = place.buffer[index] + place.bytes[index];
  }
  return std::nullopt;
}

Bits Arena::poison(std::int64_t rank, std::int64_t position) const {
  return poison_[(poison_start(rank, salt_) + static_cast<std::size_t>(position)) % poison_period];
}

bool Arena::is_untouched(std::int64_t rank, std::int64_t position) const {
  return load(ranks_[static_cast<std::size_t>(rank)].c, out_, position) == poison(rank, position);
}

std::optional<std::int64_t> Arena::first_touched(std::int64_t rank, std::int64_t from) const {
  const std::span<const std::byte> output = ranks_[static_cast<std::size_t>(rank)].c;
  auto at = (poison_start(rank, salt_) + static_cast<std::size_t>(from)) % poison_period;
  for (std::int64_t position = from; position < output_elements_; ++position) {
    if (load(output, out_, position) != poison_[at]) return position;
    if (++at == poison_period) at = 0;
  }
  return std::nullopt;
}

}  // namespace shardcheck
