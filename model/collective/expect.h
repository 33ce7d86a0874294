#pragma once

/// The model's one entry for collectives alone: everything that must hold for a case.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/collective_case.h>
#include <shardcheck/model/case/observation.h>

#include "ledger.h"
#include "meaning.h"
#include "temporaries.h"
#include "vacuity.h"
#include "values.h"

namespace shardcheck::model {

struct CollectiveExpectation {
  /// The case must outlive it. Neither copied nor moved: `values` refers to `meaning` where it
  /// stands.
  explicit CollectiveExpectation(const CollectiveCase& subject);
  CollectiveExpectation(const CollectiveExpectation&) = delete;
  CollectiveExpectation& operator=(const CollectiveExpectation&) = delete;

  /// Coordinates that a rank must return, in order.
  const IndexList& owned(std::int64_t rank) const { return meaning.owned(meaning.member_of(rank)); }
  /// Elements that a rank's input has.
  std::int64_t input_elements(std::int64_t rank) const;
  /// Where its input begins in the output, in elements, for a case in place.
  std::int64_t input_begin(std::int64_t rank) const;
  /// Elements that every rank's output has room for: at least the most that any may get.
  std::int64_t output_room() const;

  const CollectiveCase& subject;
  Meaning meaning;
  std::vector<Transfer> sent;                     ///< see ledger.h
  std::vector<std::int64_t> temporary_bytes_max;  ///< by rank, see temporaries.h
  CollectiveValues values;
  Vacuity vacuity;
};

/// Why a backend must refuse the case, if so. The case must outlive the expectation.
tl::expected<std::unique_ptr<CollectiveExpectation>, std::string> expect(
    const CollectiveCase& subject);

}  // namespace shardcheck::model
