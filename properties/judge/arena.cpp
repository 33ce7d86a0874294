#include "arena.h"

#include <cstring>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/inputs.h>

namespace shardcheck {

namespace {

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

std::size_t element_count(const model::Shard& shard) {
  return shard.rows.size() * shard.columns.size();
}

constexpr auto c_number = static_cast<std::size_t>(Tensor::c);

}  // namespace

void Arena::fill(const ProductCase& subject, const model::PlanState& start, std::uint64_t salt) {
  const auto count = static_cast<std::size_t>(rank_count(subject.mesh));
  SHARDCHECK_REQUIRE(start.a.shards.size() == count && start.b.shards.size() == count,
                     "a plan's state has one shard a rank");
  in_ = subject.dtypes.in;
  const auto in_bytes = static_cast<std::size_t>(info(in_).bytes);
  const auto out_bytes = static_cast<std::size_t>(info(subject.dtypes.out).bytes);
  output_elements_ = subject.i * subject.j;
  bytes_.clear();
  for (std::size_t rank = 0; rank < count; ++rank) {
    bytes_.push_back(element_count(start.a.shards[rank]) * in_bytes);
    bytes_.push_back(element_count(start.b.shards[rank]) * in_bytes);
    bytes_.push_back(static_cast<std::size_t>(output_elements_) * out_bytes);
  }
  memory_.lay_out(bytes_, {.buffers = 3, .inputs = 2});
  fill_inputs(subject, start);
  poison_.prepare(subject.dtypes.out, salt);
  ranks_.resize(count);
  for (std::size_t rank = 0; rank < count; ++rank) {
    poison_.write(rank, memory_.buffer(rank, c_number), 0);
    ranks_[rank] = {memory_.buffer(rank, 0), memory_.buffer(rank, 1), memory_.buffer(rank, 2)};
  }
}

void Arena::fill_inputs(const ProductCase& subject, const model::PlanState& start) {
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
    const auto& shards = (tensor == Tensor::a ? start.a : start.b).shards;
    for (std::size_t rank = 0; rank < shards.size(); ++rank) {
      std::byte* to = memory_.buffer(rank, static_cast<std::size_t>(tensor)).data();
      gather(values_, columns, shards[rank], in_, to);
    }
  }
  memory_.keep_inputs();
}

std::optional<std::int64_t> Arena::changed_input(std::int64_t rank, Tensor tensor) const {
  const auto changed =
      memory_.first_changed_byte(static_cast<std::size_t>(rank), static_cast<std::size_t>(tensor));
  if (!changed) return std::nullopt;
  return static_cast<std::int64_t>(*changed) / info(in_).bytes;
}

std::optional<GuardedMemory::GuardDamage> Arena::damaged_guard(std::int64_t rank) const {
  return memory_.damaged_guard(static_cast<std::size_t>(rank));
}

bool Arena::is_untouched(std::int64_t rank, std::int64_t position) const {
  const auto number = static_cast<std::size_t>(rank);
  return poison_.stands(number, memory_.buffer(number, c_number), position);
}

std::optional<std::int64_t> Arena::first_touched(std::int64_t rank, std::int64_t from) const {
  const auto number = static_cast<std::size_t>(rank);
  return poison_.first_overwritten(number, memory_.buffer(number, c_number), from,
                                   output_elements_);
}

}  // namespace shardcheck
