#include <algorithm>
#include <optional>
#include <utility>

#include <shardcheck/model/case/element.h>
#include <shardcheck/model/expectation/ownership.h>
#include <shardcheck/properties/faults/copied_inputs.h>

#include "doubled.h"
#include "fault_tables.h"

namespace shardcheck {

namespace {

/// A shard with the place where its elements lie.
struct View {
  const model::Shard& shard;
  std::span<std::byte> bytes;
  Dtype dtype;

  std::int64_t place(std::size_t row, std::size_t column) const {
    return static_cast<std::int64_t>(row * shard.columns.size() + column);
  }
};

void clear_column(const View& view, std::int64_t k) {
  for (std::size_t column = 0; column < view.shard.columns.size(); ++column) {
    if (view.shard.columns[column] != k) continue;
    for (std::size_t row = 0; row < view.shard.rows.size(); ++row) {
      store(view.bytes, view.dtype, view.place(row, column), 0);
    }
  }
}

void clear_row(const View& view, std::int64_t k) {
  for (std::size_t row = 0; row < view.shard.rows.size(); ++row) {
    if (view.shard.rows[row] != k) continue;
    for (std::size_t column = 0; column < view.shard.columns.size(); ++column) {
      store(view.bytes, view.dtype, view.place(row, column), 0);
    }
  }
}

std::optional<std::size_t> last_rank_with_k(const std::vector<model::Shard>& a, std::size_t count) {
  for (std::size_t rank = a.size(); rank-- > 0;) {
    if (a[rank].columns.size() >= count) return rank;
  }
  return std::nullopt;
}

/// What a backend that drops a k says of the k of its products.
enum class TellsK : std::uint8_t { truth, nothing, all };

void leave_out(std::int64_t k, std::vector<LocalProduct>& products) {
  for (LocalProduct& product : products) {
    std::erase(product.a_columns, k);
    std::erase(product.b_rows, k);
  }
}

/// Nobody multiplies the last k of the last rank that has one: its terms are zeros.
Observation without_last_k(const ProductCase& subject, const Request& request, Backend& inner,
                           TellsK tells) {
  const auto a = model::shards(subject, Tensor::a);
  const auto b = model::shards(subject, Tensor::b);
  const auto last = last_rank_with_k(a, 1);
  if (!last) return inner.run(request);
  const std::int64_t k = a[*last].columns.back();
  CopiedInputs inputs(request);
  for (std::size_t rank = 0; rank < a.size(); ++rank) {
    clear_column({a[rank], inputs.of(rank), subject.dtypes.in}, k);
    clear_row({b[rank], inputs.of(rank, 1), subject.dtypes.in}, k);
  }
  Observation observation = inner.run(inputs.request());
  switch (tells) {
    case TellsK::truth:
      if (observation.products) leave_out(k, *observation.products);
      break;
    case TellsK::nothing: observation.products.reset(); break;
    case TellsK::all: break;  // the lists are those of a product that multiplied zeros
  }
  return observation;
}

Observation last_k_dropped(const ProductCase& subject, const Request& request, Backend& inner) {
  return without_last_k(subject, request, inner, TellsK::truth);
}

Observation last_k_dropped_in_silence(const ProductCase& subject, const Request& request,
                                      Backend& inner) {
  return without_last_k(subject, request, inner, TellsK::nothing);
}

Observation last_k_dropped_and_told(const ProductCase& subject, const Request& request,
                                    Backend& inner) {
  return without_last_k(subject, request, inner, TellsK::all);
}

/// The last rank's partial is taken for nothing.
Observation without_last_rank(const ProductCase& subject, const Request& request, Backend& inner) {
  const auto a = model::shards(subject, Tensor::a);
  const auto last = last_rank_with_k(a, 1);
  if (!last) return inner.run(request);
  CopiedInputs inputs(request);
  std::ranges::fill(inputs.of(*last), std::byte{0});
  std::ranges::fill(inputs.of(*last, 1), std::byte{0});
  return inner.run(inputs.request());
}

Observation last_rank_twice(const ProductCase& subject, const Request& request, Backend& inner) {
  const Dtype in = subject.dtypes.in;
  const auto a = model::shards(subject, Tensor::a);
  const auto last = last_rank_with_k(a, 1);
  if (!last) return inner.run(request);
  CopiedInputs inputs(request);
  const std::span<std::byte> shard = inputs.of(*last);
  const auto count = static_cast<std::int64_t>(a[*last].rows.size() * a[*last].columns.size());
  for (std::int64_t index = 0; index < count; ++index) {
    store(shard, in, index, doubled(in, load(shard, in, index)));
  }
  return inner.run(inputs.request());
}

void exchange_rows(const View& view, std::int64_t first_k, std::int64_t second_k) {
  const auto first = std::ranges::find(view.shard.rows, first_k);
  const auto second = std::ranges::find(view.shard.rows, second_k);
  if (first == view.shard.rows.end() || second == view.shard.rows.end()) return;
  const auto first_row = static_cast<std::size_t>(first - view.shard.rows.begin());
  const auto second_row = static_cast<std::size_t>(second - view.shard.rows.begin());
  for (std::size_t column = 0; column < view.shard.columns.size(); ++column) {
    const Bits kept = load(view.bytes, view.dtype, view.place(first_row, column));
    store(view.bytes, view.dtype, view.place(first_row, column),
          load(view.bytes, view.dtype, view.place(second_row, column)));
    store(view.bytes, view.dtype, view.place(second_row, column), kept);
  }
}

/// Two rows of B stand in another order than the columns of A, wherever a rank holds both.
Observation rows_of_b_exchanged(const ProductCase& subject, const Request& request,
                                Backend& inner) {
  const auto a = model::shards(subject, Tensor::a);
  const auto b = model::shards(subject, Tensor::b);
  const auto last = last_rank_with_k(a, 2);
  if (!last) return inner.run(request);
  const std::int64_t first = a[*last].columns[a[*last].columns.size() - 2];
  const std::int64_t second = a[*last].columns.back();
  CopiedInputs inputs(request);
  for (std::size_t rank = 0; rank < b.size(); ++rank) {
    exchange_rows({b[rank], inputs.of(rank, 1), subject.dtypes.in}, first, second);
  }
  Observation observation = inner.run(inputs.request());
  if (!observation.products) return observation;
  for (LocalProduct& product : *observation.products) {
    for (std::int64_t& k : product.b_rows) {
      if (k == first || k == second) k = first + second - k;
    }
  }
  return observation;
}

}  // namespace

std::vector<PlantedFault> coverage_faults() {
  return {
      {"last_k_dropped", "the last k of the last rank is multiplied by nobody",
       "class A: the remainder or tail is lost", Invariant::coverage, planted(&last_k_dropped)},
      {"last_k_dropped_in_silence", "the same, by a backend that doesn't tell its k",
       "class A: the remainder or tail is lost", Invariant::coverage,
       planted(&last_k_dropped_in_silence)},
      {"last_k_dropped_and_told", "the same, by a backend whose k lists are full all the same",
       "k lists made from the layout, not from what is multiplied", Invariant::coverage,
       planted(&last_k_dropped_and_told)},
      {"rank_left_out", "the partial of the last rank isn't added",
       "class D: one rank's add is skipped", Invariant::coverage, planted(&without_last_rank)},
      {"rank_counted_twice", "the partial of the last rank is added twice",
       "microsoft/mscclpp#198: a shard was sent twice", Invariant::coverage,
       planted(&last_rank_twice)},
      {"k_blocks_in_another_order", "two rows of B stand in another order than A's columns",
       "pytorch/pytorch#166598: k permuted differently in A and B", Invariant::coverage,
       planted(&rows_of_b_exchanged)},
  };
}

}  // namespace shardcheck
