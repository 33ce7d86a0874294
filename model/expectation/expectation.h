#pragma once

/// Everything that must hold for a case, whatever its kind: what the judge sees of the model.
///
///     const auto expected = expect(subject);            // expect.h
///     (*expected)->allowed(rank, coordinate)            // the results allowed there
///
/// An element of a result has a coordinate, a number of its kind's own: i·J + j of C, a position of
/// a vector. Ranks and elements count from 0.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/observation.h>
#include <shardcheck/model/case/promises.h>

#include <shardcheck/model/expectation/vacuity.h>
#include "allowed.h"
#include "ownership.h"

namespace shardcheck::model {

/// The buffer of an input, by rank, then by number: input_elements() elements of dtype in.
using InputBuffers = std::span<const std::vector<std::span<std::byte>>>;

/// One thread at a time: is_rounded() remembers. Neither copied nor moved: its parts refer to one
/// another.
class Expectation {
 public:
  Expectation() = default;
  Expectation(const Expectation&) = delete;
  Expectation& operator=(const Expectation&) = delete;
  virtual ~Expectation() = default;

  /// The case, its order free as far as the backend promises none.
  virtual const Setting& setting() const = 0;

  /// What a rank is given, as a person knows it: "A" and "B", or "the input".
  virtual std::span<const std::string_view> input_names() const = 0;
  virtual std::int64_t input_elements(std::int64_t rank, std::size_t number) const = 0;
  virtual void write_inputs(InputBuffers buffers) const = 0;
  /// Where the input lies in the output, in elements from its start; nothing: it has memory of its
  /// own.
  virtual std::optional<std::int64_t> place_in_output(std::int64_t rank) const = 0;
  /// Elements that every rank's output has room for: at least the most that any may return.
  virtual std::int64_t output_room() const = 0;
  virtual std::string_view output_name() const = 0;

  /// Coordinates that a rank must return.
  virtual IndexList owned(std::int64_t rank) const = 0;
  /// Whether it must return them in that order.
  virtual bool is_order_due() const = 0;
  /// True if these are those coordinates, in that order.
  virtual bool is_owned(std::int64_t rank, std::span<const std::int64_t> coordinates) const = 0;
  /// Every coordinate of every rank is below.
  virtual std::int64_t coordinate_limit() const = 0;
  /// Sets of ranks that must hold the same bits at the same coordinates.
  virtual std::vector<std::vector<std::int64_t>> replica_groups() const = 0;

  /// Requires: the rank owns the coordinate, here and below.
  virtual Allowed allowed(std::int64_t rank, std::int64_t coordinate) const = 0;
  /// Whether the one result that the documented tree gives differs from the exact one.
  virtual bool is_rounded(std::int64_t rank, std::int64_t coordinate) const = 0;
  /// What the rank itself held there before anything of another was added, in dtype out. Nothing if
  /// nothing is reduced, if it held nothing there, or if that isn't a value of dtype out. The rank
  /// need not own the coordinate.
  virtual std::optional<Bits> unreduced(std::int64_t rank, std::int64_t coordinate) const = 0;

  /// Bytes due, ascending by (phase, source, destination), those of 0 bytes left out.
  std::vector<Transfer> sent;
  /// By rank: the most that it may hold at once beyond its inputs and output.
  std::vector<std::int64_t> temporary_bytes_max;
  Vacuity vacuity;
};

}  // namespace shardcheck::model
