#pragma once

/// What stands in an output before a run. Poison of a float dtype is a NaN, so that an element left
/// unwritten is never right by accident; of an integer dtype it is a pseudo-random word. It depends
/// on rank and position, so that moved poison is seen too.
///
///     Poison poison;
///     poison.prepare(Dtype::f32, salt);
///     poison.write(rank, output, 0);
///     poison.first_overwritten(rank, output, 0, n)     // nothing: all of it stands

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/model/case/element.h>

namespace shardcheck {

/// One thread.
class Poison {
 public:
  /// An odd `salt` gives poison that differs from that of an even one in every element: what a run
  /// left unwritten differs in the next one, and no value equals the poison of both.
  void prepare(Dtype dtype, std::uint64_t salt);

  /// Over the elements of `output` from `from` on. Requires: prepare() was called, here and below.
  void write(std::size_t rank, std::span<std::byte> output, std::int64_t from) const;

  Bits at(std::size_t rank, std::int64_t position) const;

  bool stands(std::size_t rank, std::span<const std::byte> output, std::int64_t position) const {
    return load(output, dtype_, position) == at(rank, position);
  }

  /// First position of the output, of those from `from` to before `end`, that is no longer poison.
  std::optional<std::int64_t> first_overwritten(std::size_t rank, std::span<const std::byte> output,
                                                std::int64_t from, std::int64_t end) const;

 private:
  std::size_t start(std::size_t rank, std::int64_t position) const;

  Dtype dtype_ = Dtype::f32;
  std::vector<Bits> pattern_;  ///< repeated over each output, starting at another place
  Bits flipped_ = 0;           ///< the bits in which the poison differs from the pattern
};

}  // namespace shardcheck
