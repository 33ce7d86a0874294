#include "arena.h"

#include <algorithm>

#include <shardcheck/model/case/collective_inputs.h>
#include <shardcheck/model/case/element.h>

namespace shardcheck {

std::vector<std::vector<Bits>> inputs_by_rank(const model::CollectiveExpectation& expectation) {
  const CallsCase& subject = expectation.subject;
  const CollectiveInputs values(subject);
  std::vector<std::vector<Bits>> inputs(static_cast<std::size_t>(rank_count(subject.mesh)));
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const auto rank = static_cast<std::int64_t>(index);
    const model::IndexList& positions =
        expectation.meaning.input(expectation.meaning.member_of(rank));
    inputs[index].reserve(positions.size());
    for (std::size_t at = 0; at < positions.size(); ++at) {
      inputs[index].push_back(values.at(rank, static_cast<std::int64_t>(at), positions[at]));
    }
  }
  return inputs;
}

void CollectiveArena::fill(const model::CollectiveExpectation& expectation, std::uint64_t salt) {
  const CallsCase& subject = expectation.subject;
  const std::vector<std::vector<Bits>> inputs = inputs_by_rank(expectation);
  width_ = static_cast<std::size_t>(info(subject.dtypes.in).bytes);
  room_ = expectation.output_room();
  output_number_ = subject.in_place ? 0 : 1;
  places_.assign(inputs.size(), {});
  for (std::size_t rank = 0; subject.in_place && rank < inputs.size(); ++rank) {
    const std::int64_t begin = expectation.input_begin(static_cast<std::int64_t>(rank));
    places_[rank] = {begin, begin + static_cast<std::int64_t>(inputs[rank].size())};
  }
  lay_out(inputs);
  poison_.prepare(subject.dtypes.out, salt);
  for (std::size_t rank = 0; rank < inputs.size(); ++rank) {
    const std::span<std::byte> output = memory_.buffer(rank, output_number_);
    poison_.write(rank, output, 0);
    const std::span<std::byte> input =
        subject.in_place ? output.subspan(static_cast<std::size_t>(places_[rank].begin) * width_,
                                          inputs[rank].size() * width_)
                         : memory_.buffer(rank, 0);
    for (std::size_t at = 0; at < inputs[rank].size(); ++at) {
      store(input, subject.dtypes.in, static_cast<std::int64_t>(at), inputs[rank][at]);
    }
    ranks_.push_back({input, output});
  }
  memory_.keep_inputs();
}

void CollectiveArena::lay_out(const std::vector<std::vector<Bits>>& inputs) {
  bytes_.clear();
  ranks_.clear();
  for (const std::vector<Bits>& input : inputs) {
    if (output_number_ > 0) bytes_.push_back(input.size() * width_);
    bytes_.push_back(static_cast<std::size_t>(room_) * width_);
  }
  memory_.lay_out(bytes_, {.buffers = output_number_ + 1, .inputs = output_number_});
}

std::optional<std::int64_t> CollectiveArena::changed_input(std::size_t rank) const {
  if (output_number_ == 0) return std::nullopt;
  const auto changed = memory_.first_changed_byte(rank, 0);
  if (!changed) return std::nullopt;
  return static_cast<std::int64_t>(*changed / width_);
}

bool CollectiveArena::is_untouched(std::size_t rank, std::int64_t position) const {
  const Place& input = places_[rank];
  if (position >= input.begin && position < input.end) return false;
  return poison_.stands(rank, memory_.buffer(rank, output_number_), position);
}

std::optional<std::int64_t> CollectiveArena::first_touched(std::size_t rank,
                                                           std::int64_t from) const {
  const std::span<const std::byte> output = memory_.buffer(rank, output_number_);
  const Place& input = places_[rank];
  if (const auto before = poison_.first_overwritten(rank, output, from, input.begin)) {
    return before;
  }
  return poison_.first_overwritten(rank, output, std::max(from, input.end), room_);
}

}  // namespace shardcheck
