#include "expectation.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/inputs/inputs.h>

#include "vacuity.h"

namespace shardcheck::model {

namespace {

constexpr std::array<Tensor, 2> operands{Tensor::a, Tensor::b};
constexpr std::array<std::string_view, 2> operand_names{name(Tensor::a), name(Tensor::b)};

/// Sums across ranks in an order that isn't promised are those of order=any.
ProductCase held_to(const Promises& promises, ProductCase subject) {
  if (!promises.declared_order) subject.order = Order::any;
  return subject;
}

LocalOrder local_order(const Promises& promises) {
  return promises.local_order ? LocalOrder::ascending : LocalOrder::free;
}

const Shard& start_of(const ResolvedPlan& plan, std::int64_t rank, Tensor tensor) {
  const PlanState& start = plan.states.front();
  return (tensor == Tensor::a ? start.a : start.b).shards[static_cast<std::size_t>(rank)];
}

std::int64_t element_count(const Shard& shard) {
  return static_cast<std::int64_t>(shard.rows.size() * shard.columns.size());
}

template <typename Word>
void gather_as(const std::vector<Bits>& values, std::int64_t columns, const Shard& shard,
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

void gather(const std::vector<Bits>& values, std::int64_t columns, const Shard& shard, Dtype dtype,
            std::byte* to) {
  switch (info(dtype).bytes) {
    case 1: return gather_as<std::uint8_t>(values, columns, shard, to);
    case 2: return gather_as<std::uint16_t>(values, columns, shard, to);
    case 4: return gather_as<std::uint32_t>(values, columns, shard, to);
    default: return gather_as<std::uint64_t>(values, columns, shard, to);
  }
}

/// Row-major.
std::vector<Bits> whole(const ProductCase& subject, const Inputs& inputs, Tensor tensor) {
  const std::int64_t rows = extent(subject, axes_of(tensor)[0]);
  const std::int64_t columns = extent(subject, axes_of(tensor)[1]);
  std::vector<Bits> values;
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      values.push_back(inputs.at(tensor, row, column));
    }
  }
  return values;
}

bool holds(const IndexList& indices, std::int64_t index) {
  return std::ranges::find(indices, index) != indices.end();
}

constexpr std::int8_t unknown = -1;

}  // namespace

ProductExpectation::ProductExpectation(const ProductCase& asked, ResolvedPlan resolved,
                                       const Promises& promises, Grouping grouping)
    : subject(held_to(promises, asked)),
      plan(std::move(resolved)),
      c_shards(shards(subject, Tensor::c)),
      values(subject, plan, local_order(promises), grouping) {
  sent = ledger(subject, plan);
  temporary_bytes_max = model::temporary_bytes_max(subject, plan, sent);
  vacuity = model::vacuity(subject, plan, values);
}

std::span<const std::string_view> ProductExpectation::input_names() const { return operand_names; }

std::int64_t ProductExpectation::input_elements(std::int64_t rank, std::size_t number) const {
  return element_count(start_of(plan, rank, operands[number]));
}

void ProductExpectation::write_inputs(InputBuffers buffers) const {
  const Inputs inputs(subject);
  for (const Tensor tensor : operands) {
    const std::vector<Bits> values_of = whole(subject, inputs, tensor);
    const std::int64_t columns = extent(subject, axes_of(tensor)[1]);
    for (std::size_t rank = 0; rank < buffers.size(); ++rank) {
      gather(values_of, columns, start_of(plan, static_cast<std::int64_t>(rank), tensor),
             subject.dtypes.in, buffers[rank][static_cast<std::size_t>(tensor)].data());
    }
  }
}

std::optional<std::int64_t> ProductExpectation::place_in_output(std::int64_t /*rank*/) const {
  return std::nullopt;
}

IndexList ProductExpectation::owned(std::int64_t rank) const {
  const Shard& shard = c_shards[static_cast<std::size_t>(rank)];
  IndexList coordinates;
  coordinates.reserve(shard.rows.size() * shard.columns.size());
  for (const std::int64_t row : shard.rows) {
    for (const std::int64_t column : shard.columns) coordinates.push_back(row * subject.j + column);
  }
  return coordinates;
}

bool ProductExpectation::is_owned(std::int64_t rank,
                                  std::span<const std::int64_t> coordinates) const {
  const Shard& shard = c_shards[static_cast<std::size_t>(rank)];
  if (static_cast<std::int64_t>(coordinates.size()) != element_count(shard)) return false;
  auto at = coordinates.begin();
  for (const std::int64_t row : shard.rows) {
    for (const std::int64_t column : shard.columns) {
      if (*at++ != row * subject.j + column) return false;
    }
  }
  return true;
}

/// Ranks that stand at different places on an axis over which C stays partial hold different sums.
std::vector<std::vector<std::int64_t>> ProductExpectation::replica_groups() const {
  std::int64_t held = 0;
  for (const Shard& shard : c_shards) held += element_count(shard);
  if (held <= subject.i * subject.j) return {};
  std::vector<std::vector<std::int64_t>> groups;
  std::vector<std::vector<std::int64_t>> places;  // by group, on the partial axes
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    const std::vector<std::int64_t> at = coordinates(subject.mesh, rank);
    std::vector<std::int64_t> place;
    for (const int axis : subject.c.partial_over)
      place.push_back(at[static_cast<std::size_t>(axis)]);
    const auto found = std::ranges::find(places, place) - places.begin();
    if (found == std::ssize(places)) {
      places.push_back(place);
      groups.emplace_back();
    }
    groups[static_cast<std::size_t>(found)].push_back(rank);
  }
  return groups;
}

Allowed ProductExpectation::allowed(std::int64_t rank, std::int64_t coordinate) const {
  return values.allowed(rank, coordinate);
}

bool ProductExpectation::is_rounded(std::int64_t rank, std::int64_t coordinate) const {
  // While C stays partial each rank has another sum there.
  if (!subject.c.partial_over.empty()) return values.is_rounded(rank, coordinate);
  if (rounded_.empty()) rounded_.assign(static_cast<std::size_t>(subject.i * subject.j), unknown);
  std::int8_t& known = rounded_[static_cast<std::size_t>(coordinate)];
  if (known == unknown) known = values.is_rounded(rank, coordinate) ? 1 : 0;
  return known == 1;
}

std::optional<Bits> ProductExpectation::unreduced(std::int64_t rank,
                                                  std::int64_t coordinate) const {
  if (subject.dtypes.acc != subject.dtypes.out) return std::nullopt;
  const Shard& block = born(plan).shards[static_cast<std::size_t>(rank)];
  if (!holds(block.rows, coordinate / subject.j) || !holds(block.columns, coordinate % subject.j)) {
    return std::nullopt;
  }
  return values.partial(rank, coordinate);
}

tl::expected<std::unique_ptr<ProductExpectation>, std::string> expect_product(
    const ProductCase& subject, const Promises& promises, Grouping grouping) {
  auto resolved = resolve(subject);
  if (!resolved) return tl::unexpected<std::string>(resolved.error());
  return std::make_unique<ProductExpectation>(subject, *std::move(resolved), promises, grouping);
}

}  // namespace shardcheck::model
