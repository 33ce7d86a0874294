#include "own_backend.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <variant>
#include <vector>

namespace {

using shardcheck::Cut;
using shardcheck::Dtype;
using shardcheck::ProductCase;

bool is_cut_evenly_over_the_ranks(const Cut& cut) {
  return cut.over.size() == 1 && cut.split.rule == shardcheck::Split::Rule::balanced;
}

/// K split over a mesh of one axis, rows of C wanted, all in f32.
bool is_supported(const ProductCase& c) {
  constexpr shardcheck::DtypeCombination f32{Dtype::f32, Dtype::f32, Dtype::f32, Dtype::f32};
  return c.mesh.axes.size() == 1 && c.dtypes == f32 && !c.plan && c.fma == shardcheck::Fma::no &&
         c.a.rows.over.empty() && is_cut_evenly_over_the_ranks(c.a.columns) &&
         is_cut_evenly_over_the_ranks(c.b.rows) && c.b.columns.over.empty() &&
         is_cut_evenly_over_the_ranks(c.c.rows) && c.c.columns.over.empty() &&
         c.c.partial_over.empty();
}

std::vector<float> floats(std::span<const std::byte> bytes) {
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Adds a rank's partial product, i×j, to `sum`.
void add_partial(const ProductCase& c, const shardcheck::RankMemory& rank,
                 std::vector<float>& sum) {
  const std::vector<float> a = floats(rank.inputs[0]);
  const std::vector<float> b = floats(rank.inputs[1]);
  const std::int64_t k_here = c.i == 0 ? 0 : static_cast<std::int64_t>(a.size()) / c.i;
  for (std::int64_t row = 0; row < c.i; ++row) {
    for (std::int64_t column = 0; column < c.j; ++column) {
      float partial = 0;
      for (std::int64_t k = 0; k < k_here; ++k) {
        partial += a[static_cast<std::size_t>(row * k_here + k)] *
                   b[static_cast<std::size_t>(k * c.j + column)];
      }
      sum[static_cast<std::size_t>(row * c.j + column)] += partial;
    }
  }
}

}  // namespace

shardcheck::Observation OwnBackend::run(const shardcheck::Request& request) {
  const auto& c = std::get<ProductCase>(request.subject);
  shardcheck::Observation observation;
  if (!is_supported(c)) {
    observation.ending = shardcheck::Ending::unsupported;
    observation.cause = "K split, rows of C, f32 only";
    return observation;
  }
  std::vector<float> sum(static_cast<std::size_t>(c.i * c.j));
  for (const shardcheck::RankMemory& rank : request.ranks) add_partial(c, rank, sum);

  const auto rank_count = static_cast<std::int64_t>(request.ranks.size());
  observation.owned.resize(request.ranks.size());
  // The bug: every rank but the last takes ceil(i / ranks) rows. `balanced` gives 5 rows over 4
  // ranks as 2 1 1 1, this as 2 2 1 0.
  const std::int64_t rows_each = (c.i + rank_count - 1) / rank_count;
  for (std::int64_t rank = 0; rank < rank_count; ++rank) {
    const std::int64_t first = std::min(rank * rows_each, c.i);
    const std::int64_t last = std::min(first + rows_each, c.i);
    const auto count = static_cast<std::size_t>((last - first) * c.j);
    if (count == 0) continue;
    std::memcpy(request.ranks[static_cast<std::size_t>(rank)].output.data(),
                sum.data() + first * c.j, count * sizeof(float));
    for (std::int64_t element = first * c.j; element < last * c.j; ++element) {
      observation.owned[static_cast<std::size_t>(rank)].push_back(element);
    }
  }
  return observation;
}
