#include "poison.h"

#include <cstring>

#include <shardcheck/model/case/number_bits.h>

namespace shardcheck {

namespace {

/// A prime, so that poison never repeats in step with a row.
constexpr std::size_t period = 1021;

/// SplitMix64's output function: good enough to make neighbours unlike each other.
std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30U)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27U)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31U);
}

Bits width_mask(Dtype dtype) {
  const int bits = 8 * info(dtype).bytes;
  return bits == 64 ? ~Bits{0} : (Bits{1} << static_cast<unsigned>(bits)) - 1;
}

/// Bits that are set in all poison. Of a float those of its exponent, so that it is a NaN, and the
/// lowest one, so that it isn't the one that arithmetic makes; where all ones is the only NaN, all
/// but the sign. A format with one single NaN leaves no choice: there any word is poison, as of
/// integers.
Bits fixed_mask(Dtype dtype) {
  if (!info(dtype).is_float) return 0;
  const FloatBits& f = float_bits(dtype);
  switch (f.specials) {
    case FloatBits::Specials::ieee: return infinity_bits(f) | 1U;
    case FloatBits::Specials::fn: return nan_bits(f);
    case FloatBits::Specials::fnuz: return 0;
  }
  return 0;
}

template <typename Word>
void store_as(const std::vector<Bits>& pattern, Bits flipped, std::size_t start,
              std::span<std::byte> to) {
  std::size_t at = start;
  for (std::size_t offset = 0; offset + sizeof(Word) <= to.size(); offset += sizeof(Word)) {
    const Word word = static_cast<Word>(pattern[at] ^ flipped);
    std::memcpy(to.data() + offset, &word, sizeof word);
    if (++at == pattern.size()) at = 0;
  }
}

}  // namespace

void Poison::prepare(Dtype dtype, std::uint64_t salt) {
  flipped_ = salt % 2 == 0 ? 0 : width_mask(dtype) & ~fixed_mask(dtype);
  if (!pattern_.empty() && dtype_ == dtype) return;
  dtype_ = dtype;
  pattern_.resize(period);
  for (std::size_t index = 0; index < period; ++index) {
    pattern_[index] = (mixed(index) & width_mask(dtype)) | fixed_mask(dtype);
  }
}

std::size_t Poison::start(std::size_t rank, std::int64_t position) const {
  return (rank * 389 + static_cast<std::size_t>(position)) % period;
}

void Poison::write(std::size_t rank, std::span<std::byte> output, std::int64_t from) const {
  const auto width = static_cast<std::size_t>(info(dtype_).bytes);
  const std::span<std::byte> to = output.subspan(static_cast<std::size_t>(from) * width);
  switch (width) {
    case 1: return store_as<std::uint8_t>(pattern_, flipped_, start(rank, from), to);
    case 2: return store_as<std::uint16_t>(pattern_, flipped_, start(rank, from), to);
    case 4: return store_as<std::uint32_t>(pattern_, flipped_, start(rank, from), to);
    default: return store_as<std::uint64_t>(pattern_, flipped_, start(rank, from), to);
  }
}

Bits Poison::at(std::size_t rank, std::int64_t position) const {
  return pattern_[start(rank, position)] ^ flipped_;
}

std::optional<std::int64_t> Poison::first_overwritten(std::size_t rank,
                                                      std::span<const std::byte> output,
                                                      std::int64_t from, std::int64_t end) const {
  std::size_t at = start(rank, from);
  for (std::int64_t position = from; position < end; ++position) {
    if (load(output, dtype_, position) != (pattern_[at] ^ flipped_)) return position;
    if (++at == period) at = 0;
  }
  return std::nullopt;
}

}  // namespace shardcheck
