#pragma once

/// For tests: a product's case line through the backend, with the shards that its layouts give.

#include <cstdint>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/observation.h>
#include <shardcheck/model/case/product_case.h>

#include <shardcheck/impl/backend.h>

namespace shardcheck::impl {

struct CaseRun {
  ProductCase subject;
  Observation seen;
  std::vector<std::vector<Bits>> results;  ///< by rank: what stands in its output, as owned

  /// By rank: the results as numbers.
  std::vector<std::vector<double>> numbers() const;
  /// By rank: payload bytes sent.
  std::vector<std::int64_t> sent() const;
};

/// Requires: the line is a case, and its data are given.
CaseRun run_case(std::string_view line, bool trace = false);
CaseRun run_case(const ProductCase& subject, bool trace = false);
CaseRun run_case(ShardedBackend& backend, const ProductCase& subject, bool trace = false);

/// The number that bits of a dtype stand for, from the definition of the format.
double number(Dtype dtype, Bits bits);

}  // namespace shardcheck::impl
