#pragma once

/// A case as a sum of terms: what its kind knows of them.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/case.h>

#include "masks.h"
#include "order.h"
#include "places.h"

namespace shardcheck {

struct SummedTerms {
  std::vector<std::int64_t> terms;  ///< as OrderReport has them
  bool are_all = true;
  int factors = 1;  ///< of each term
  Case subject;     ///< the case as it is run, but for its data
  /// Gives it data for these masked terms, one for each of `terms`.
  std::function<void(const Masks&, std::span<const MaskedTerm>, Case&)> fill;
  std::function<std::optional<SummationTree>(const OrderPlace&)> documented;
  /// Who makes which terms of that place.
  std::function<std::vector<OwnTerms>(const OrderFound&)> own;
};

/// Or why the case shows no order.
tl::expected<SummedTerms, std::string> summed_terms(const ProductCase& asked);
tl::expected<SummedTerms, std::string> summed_terms(const CallsCase& asked);

}  // namespace shardcheck
