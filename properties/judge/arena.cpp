#include "arena.h"

#include <algorithm>

#include <shardcheck/model/case/element.h>

namespace shardcheck {

void Arena::fill(const model::Expectation& expectation, std::uint64_t salt) {
  const Setting& setting = expectation.setting();
  const auto ranks = static_cast<std::size_t>(rank_count(setting.mesh));
  width_ = static_cast<std::size_t>(info(setting.dtypes.in).bytes);
  room_ = expectation.output_room();
  lay_out(expectation, ranks);
  poison_.prepare(setting.dtypes.out, salt);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    poison_.write(rank, memory_.buffer(rank, input_count_), 0);
  }
  place_inputs(expectation);
  expectation.write_inputs(inputs_);
  memory_.keep_inputs();
}

void Arena::lay_out(const model::Expectation& expectation, std::size_t ranks) {
  const bool is_in_place = expectation.place_in_output(0).has_value();
  const auto out_bytes = static_cast<std::size_t>(info(expectation.setting().dtypes.out).bytes);
  input_count_ = is_in_place ? 0 : expectation.input_names().size();
  bytes_.clear();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    for (std::size_t number = 0; number < input_count_; ++number) {
      const std::int64_t elements =
          expectation.input_elements(static_cast<std::int64_t>(rank), number);
      bytes_.push_back(static_cast<std::size_t>(elements) * width_);
    }
    bytes_.push_back(static_cast<std::size_t>(room_) * out_bytes);
  }
  memory_.lay_out(bytes_, {.buffers = input_count_ + 1, .inputs = input_count_});
}

void Arena::place_inputs(const model::Expectation& expectation) {
  const auto ranks = static_cast<std::size_t>(rank_count(expectation.setting().mesh));
  places_.assign(ranks, {});
  inputs_.resize(ranks);
  shown_.resize(ranks);
  ranks_.clear();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::span<std::byte> output = memory_.buffer(rank, input_count_);
    inputs_[rank].clear();
    if (const auto begin = expectation.place_in_output(static_cast<std::int64_t>(rank))) {
      const std::int64_t elements = expectation.input_elements(static_cast<std::int64_t>(rank), 0);
      places_[rank] = {*begin, *begin + elements};
      inputs_[rank].push_back(output.subspan(static_cast<std::size_t>(*begin) * width_,
                                             static_cast<std::size_t>(elements) * width_));
    }
    for (std::size_t number = 0; number < input_count_; ++number) {
      inputs_[rank].push_back(memory_.buffer(rank, number));
    }
    shown_[rank].assign(inputs_[rank].begin(), inputs_[rank].end());
    ranks_.push_back({shown_[rank], output});
  }
}

std::optional<std::int64_t> Arena::changed_input(std::size_t rank, std::size_t number) const {
  const auto changed = memory_.first_changed_byte(rank, number);
  if (!changed) return std::nullopt;
  return static_cast<std::int64_t>(*changed / width_);
}

bool Arena::is_untouched(std::size_t rank, std::int64_t position) const {
  const Place& input = places_[rank];
  if (position >= input.begin && position < input.end) return false;
  return poison_.stands(rank, memory_.buffer(rank, input_count_), position);
}

std::optional<std::int64_t> Arena::first_touched(std::size_t rank, std::int64_t from) const {
  const std::span<const std::byte> output = memory_.buffer(rank, input_count_);
  const Place& input = places_[rank];
  if (const auto before = poison_.first_overwritten(rank, output, from, input.begin)) {
    return before;
  }
  return poison_.first_overwritten(rank, output, std::max(from, input.end), room_);
}

}  // namespace shardcheck
