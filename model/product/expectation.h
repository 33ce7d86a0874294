#pragma once

/// What must hold for a sharded product.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/product_case.h>

#include <shardcheck/model/expectation/expectation.h>
#include <shardcheck/model/expectation/ownership.h>
#include <shardcheck/model/plan/ledger.h>
#include <shardcheck/model/plan/rules.h>
#include <shardcheck/model/plan/temporaries.h>
#include "values.h"

namespace shardcheck::model {

class ProductExpectation final : public Expectation {
 public:
  /// Requires: `resolved` is a plan of the case.
  ProductExpectation(const ProductCase& asked, ResolvedPlan resolved, const Promises& promises,
                     Grouping grouping);

  const Setting& setting() const override { return subject; }
  std::span<const std::string_view> input_names() const override;
  std::int64_t input_elements(std::int64_t rank, std::size_t number) const override;
  void write_inputs(InputBuffers buffers) const override;
  std::optional<std::int64_t> place_in_output(std::int64_t rank) const override;
  std::int64_t output_room() const override { return subject.i * subject.j; }
  std::string_view output_name() const override { return "C"; }
  IndexList owned(std::int64_t rank) const override;
  bool is_order_due() const override { return false; }
  bool is_owned(std::int64_t rank, std::span<const std::int64_t> coordinates) const override;
  std::int64_t coordinate_limit() const override { return subject.i * subject.j; }
  std::vector<std::vector<std::int64_t>> replica_groups() const override;
  Allowed allowed(std::int64_t rank, std::int64_t coordinate) const override;
  bool is_rounded(std::int64_t rank, std::int64_t coordinate) const override;
  std::optional<Bits> unreduced(std::int64_t rank, std::int64_t coordinate) const override;

  const ProductCase subject;
  const ResolvedPlan plan;
  const std::vector<Shard> c_shards;  ///< by rank: the part of C that it must return
  const Values values;                ///< refers to `subject` and `plan`

 private:
  /// By coordinate, where every rank's result is the same sum: is_rounded() costs an exact one.
  mutable std::vector<std::int8_t> rounded_;
};

/// As expect().
tl::expected<std::unique_ptr<ProductExpectation>, std::string> expect_product(
    const ProductCase& subject, const Promises& promises = {},
    Grouping grouping = Grouping::planned);

}  // namespace shardcheck::model
