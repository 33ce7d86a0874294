#include "expectation.h"

#include <algorithm>
#include <array>
#include <optional>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/case/inputs/calls_inputs.h>
#include <shardcheck/model/case/number_bits.h>

namespace shardcheck::model {

namespace {

constexpr std::array<std::string_view, 1> names{"the input"};

bool is_one_reduction(const CallsCase& subject) {
  return subject.calls.size() == 1 && reduces(subject.calls.front().collective);
}

/// An order that isn't promised is free in one call that reduces; is_unbounded_ sees to several in
/// a row.
CallsCase held_to(const Promises& promises, CallsCase subject) {
  if (!promises.declared_order && is_one_reduction(subject)) subject.order = Order::any;
  return subject;
}

/// Every value of the dtype.
Allowed anything(Dtype out) {
  const FloatBits& f = float_bits(out);
  const Bits greatest = has_infinity(f) ? infinity_bits(f) : largest_bits(f);
  Allowed all;
  all.grade = Grade::envelope;
  all.nan = true;
  all.low = greatest | sign_bit(f);
  all.high = greatest;
  return all;
}

}  // namespace

CallsExpectation::CallsExpectation(const CallsCase& asked, const Promises& promises)
    : subject(held_to(promises, asked)),
      meaning(subject),
      values(subject, meaning),
      is_unbounded_(!promises.declared_order) {
  sent = ledger(subject, meaning);
  temporary_bytes_max = model::temporary_bytes_max(subject, meaning, sent);
  vacuity = model::vacuity(subject, meaning, values);
}

std::span<const std::string_view> CallsExpectation::input_names() const { return names; }

std::int64_t CallsExpectation::input_elements(std::int64_t rank, std::size_t /*number*/) const {
  return static_cast<std::int64_t>(meaning.input(meaning.member_of(rank)).size());
}

std::vector<Bits> CallsExpectation::input_of(std::int64_t rank) const {
  const CollectiveInputs inputs(subject);
  const IndexList& positions = meaning.input(meaning.member_of(rank));
  std::vector<Bits> input;
  input.reserve(positions.size());
  for (std::size_t at = 0; at < positions.size(); ++at) {
    input.push_back(inputs.at(rank, static_cast<std::int64_t>(at), positions[at]));
  }
  return input;
}

void CallsExpectation::write_inputs(InputBuffers buffers) const {
  const CollectiveInputs inputs(subject);
  for (std::size_t index = 0; index < buffers.size(); ++index) {
    const auto rank = static_cast<std::int64_t>(index);
    std::int64_t at = 0;
    for (const std::int64_t position : meaning.input(meaning.member_of(rank))) {
      store(buffers[index].front(), subject.dtypes.in, at, inputs.at(rank, at, position));
      ++at;
    }
  }
}

std::optional<std::int64_t> CallsExpectation::place_in_output(std::int64_t rank) const {
  if (!subject.in_place) return std::nullopt;
  if (subject.calls.front().collective != Collective::all_gather) return 0;
  std::int64_t begin = 0;
  for (std::int64_t member = 0; member < meaning.member_of(rank); ++member) {
    begin += static_cast<std::int64_t>(meaning.block(member).size());
  }
  return begin;
}

std::int64_t CallsExpectation::output_room() const {
  std::int64_t room = subject.n;
  for (std::int64_t member = 0; member < meaning.member_count(); ++member) {
    room = std::max(room, static_cast<std::int64_t>(meaning.owned(member).size()));
  }
  return room;
}

bool CallsExpectation::is_owned(std::int64_t rank,
                                std::span<const std::int64_t> coordinates) const {
  return std::ranges::equal(owned_list(rank), coordinates);
}

/// Those that nobody is due included.
std::int64_t CallsExpectation::coordinate_limit() const {
  const Collective last = subject.calls.back().collective;
  if (last != Collective::all_to_all && last != Collective::permute) return subject.n;
  std::int64_t limit = subject.n * shardcheck::member_count(subject);
  for (const auto& row : subject.counts) {
    for (const std::int64_t count : row) limit += count;
  }
  return limit;
}

std::vector<std::vector<std::int64_t>> CallsExpectation::replica_groups() const {
  const Collective last = subject.calls.back().collective;
  const bool is_replicated = last == Collective::all_reduce || last == Collective::all_gather ||
                             last == Collective::broadcast;
  return is_replicated ? meaning.groups() : std::vector<std::vector<std::int64_t>>{};
}

Allowed CallsExpectation::allowed(std::int64_t rank, std::int64_t coordinate) const {
  Allowed allowed = values.allowed(rank, coordinate);
  return is_unbounded_ && allowed.grade == Grade::declared ? anything(subject.dtypes.out) : allowed;
}

bool CallsExpectation::is_rounded(std::int64_t rank, std::int64_t coordinate) const {
  return values.is_rounded(rank, coordinate);
}

std::optional<Bits> CallsExpectation::unreduced(std::int64_t rank, std::int64_t coordinate) const {
  if (!is_one_reduction(subject)) return std::nullopt;
  // What reduces starts from whole vectors.
  return CollectiveInputs(subject).at(rank, coordinate, coordinate);
}

tl::expected<std::unique_ptr<CallsExpectation>, std::string> expect_calls(
    const CallsCase& subject, const Promises& promises) {
  const std::optional<std::string> why = refusal(subject);
  if (why) return tl::unexpected<std::string>(*why);
  return std::make_unique<CallsExpectation>(subject, promises);
}

}  // namespace shardcheck::model
