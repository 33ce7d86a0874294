#pragma once

/// What must hold for collectives alone.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/expectation/expectation.h>

#include "ledger.h"
#include "meaning.h"
#include "temporaries.h"
#include "vacuity.h"
#include "values.h"

namespace shardcheck::model {

class CallsExpectation final : public Expectation {
 public:
  /// Requires: no refusal() (meaning.h).
  CallsExpectation(const CallsCase& asked, const Promises& promises);

  const Setting& setting() const override { return subject; }
  std::span<const std::string_view> input_names() const override;
  std::int64_t input_elements(std::int64_t rank, std::size_t number = 0) const override;
  void write_inputs(InputBuffers buffers) const override;
  std::optional<std::int64_t> place_in_output(std::int64_t rank) const override;
  std::int64_t output_room() const override;
  std::string_view output_name() const override { return "the output"; }
  IndexList owned(std::int64_t rank) const override { return owned_list(rank); }
  bool is_order_due() const override { return true; }
  bool is_owned(std::int64_t rank, std::span<const std::int64_t> coordinates) const override;
  std::int64_t coordinate_limit() const override;
  std::vector<std::vector<std::int64_t>> replica_groups() const override;
  Allowed allowed(std::int64_t rank, std::int64_t coordinate) const override;
  bool is_rounded(std::int64_t rank, std::int64_t coordinate) const override;
  std::optional<Bits> unreduced(std::int64_t rank, std::int64_t coordinate) const override;

  /// owned(), not copied.
  const IndexList& owned_list(std::int64_t rank) const {
    return meaning.owned(meaning.member_of(rank));
  }
  /// A rank's input, in its order, in dtype in.
  std::vector<Bits> input_of(std::int64_t rank) const;

  const CallsCase subject;
  const Meaning meaning;          ///< refers to `subject`
  const CollectiveValues values;  ///< refers to `subject` and `meaning`

 private:
  /// Of floats that were summed by several calls in a row, in orders that aren't promised, no bound
  /// is known.
  bool is_unbounded_ = false;
};

/// As expect().
tl::expected<std::unique_ptr<CallsExpectation>, std::string> expect_calls(
    const CallsCase& subject, const Promises& promises = {});

}  // namespace shardcheck::model
