#pragma once

/// One step of a sum in every lane of a vector: sum + a·b, rounded as often as the case says.
///
/// A Step has the Element in memory, the Lanes that are computed in, splat(), load(), store(), and
/// add(sum, a, b). Isa is the type of one instruction set (register_tile.h says why): its vectors'
/// bytes, fuse(a, b, sum), rounded once, and round_to_f16(float lanes).
/// Source: docs/plans.md, "Values".

#include <cstddef>
#include <cstdint>
#include <utility>

#include "packing.h"

namespace shardcheck::impl {

/// Elements that are computed in as they lie.
template <typename Isa, typename T, int rows>
struct StepOn {
  using Element = T;
  using Lanes = typename VectorOf<T, Isa::vector_bytes>::Type;
  static constexpr int lanes = Isa::vector_bytes / static_cast<int>(sizeof(T));
  static constexpr int rows_per_tile = rows;

  [[gnu::always_inline]] static Lanes splat(T value) {
    return splat(value, std::make_index_sequence<lanes>{});
  }
  [[gnu::always_inline]] static Lanes load(const std::byte* elements) {
    Lanes loaded;
    __builtin_memcpy(&loaded, elements, sizeof loaded);
    return loaded;
  }
  [[gnu::always_inline]] static void store(Lanes stored, std::byte* elements) {
    __builtin_memcpy(elements, &stored, sizeof stored);
  }

 private:
  template <std::size_t... Lane>
  [[gnu::always_inline]] static Lanes splat(T value, std::index_sequence<Lane...> /*lanes*/) {
    return Lanes{(static_cast<void>(Lane), value)...};
  }
};

/// Product rounded, then sum rounded; integers wrap.
template <typename Isa, typename T>
struct Unfused : StepOn<Isa, T, Isa::rows_per_tile> {
  using Lanes = typename Unfused::Lanes;
  [[gnu::always_inline]] static Lanes add(Lanes sum, Lanes a, Lanes b) { return sum + a * b; }
};

template <typename Isa, typename T>
struct Fused : StepOn<Isa, T, Isa::rows_per_tile> {
  using Lanes = typename Fused::Lanes;
  [[gnu::always_inline]] static Lanes add(Lanes sum, Lanes a, Lanes b) {
    return Isa::fuse(a, b, sum);
  }
};

/// Half a last place is added to the pattern, less one unit where the last place that stays is
/// even; what it carries into the exponent is right, up to infinity. A NaN stays one, for those
/// that occur, made by widening or by the machine, have zeros below the last place.
template <typename Isa>
struct RoundToBf16 {
  using Floats = typename VectorOf<float, Isa::vector_bytes>::Type;
  using Patterns = typename VectorOf<std::uint32_t, Isa::vector_bytes>::Type;
  [[gnu::always_inline]] static Floats of(Floats values) {
    const auto bits = reinterpret_cast<Patterns>(values);
    return reinterpret_cast<Floats>((bits + (((bits >> 16) & 1U) + 0x7fffU)) & 0xffff0000U);
  }
};

template <typename Isa>
struct RoundToF16 {
  using Floats = typename VectorOf<float, Isa::vector_bytes>::Type;
  [[gnu::always_inline]] static Floats of(Floats values) { return Isa::round_to_f16(values); }
};

/// A float holds every product of two f16 or bf16 numbers exactly, except for those of bf16 below
/// 2^-134, which round to zero either way; and a sum that is rounded to 24 bits first rounds to 8
/// or 11 as it would have at once, for 24 >= 2·11 + 2.
template <typename Isa, typename Round>
struct NarrowUnfused : StepOn<Isa, float, Isa::rows_per_narrow_tile> {
  using Lanes = typename NarrowUnfused::Lanes;
  [[gnu::always_inline]] static Lanes add(Lanes sum, Lanes a, Lanes b) {
    return Round::of(sum + Round::of(a * b));
  }
};

/// product + addend rounded to odd: where something was cut off, the last place is made odd towards
/// the exact sum, so that a second rounding, to a format narrower by two bits or more, sees on
/// which side of a tie the exact sum lies. Infinity and NaN stay.
template <typename Lanes, typename Patterns>
struct SumRoundedToOdd {
  [[gnu::always_inline]] static Lanes of(Lanes product, Lanes addend) {
    const Lanes rounded = product + addend;
    const Lanes addend_seen = rounded - product;
    const Lanes cut_off = (product - (rounded - addend_seen)) + (addend - addend_seen);
    auto bits = reinterpret_cast<Patterns>(rounded);
    // All ones where the sum is inexact and even; neither comparison holds for a NaN.
    const Patterns is_due = ((cut_off > Lanes{}) | (cut_off < Lanes{})) & ((bits & 1) - 1);
    // +1 where what was cut off has the sum's sign, else -1.
    const Patterns outwards = ((reinterpret_cast<Patterns>(cut_off) ^ bits) < 0) | 1;
    bits += outwards & is_due;
    return reinterpret_cast<Lanes>(bits);
  }
};

/// Floats hold the products of f16 numbers, 22 bits, and never overflow.
template <typename Isa>
struct F16Fused : StepOn<Isa, float, Isa::rows_per_narrow_tile> {
  using Lanes = typename F16Fused::Lanes;
  using Patterns = typename VectorOf<std::int32_t, Isa::vector_bytes>::Type;
  [[gnu::always_inline]] static Lanes add(Lanes sum, Lanes a, Lanes b) {
    return Isa::round_to_f16(SumRoundedToOdd<Lanes, Patterns>::of(a * b, sum));
  }
};

/// Doubles hold the products of bf16 numbers over their whole range. The sums stay in double while
/// k runs.
template <typename Isa>
struct Bf16Fused {
  using Element = float;
  using Wide = StepOn<Isa, double, 1>;
  using Lanes = typename Wide::Lanes;
  using Patterns = typename VectorOf<std::uint64_t, Isa::vector_bytes>::Type;
  using SignedPatterns = typename VectorOf<std::int64_t, Isa::vector_bytes>::Type;
  using Floats = typename VectorOf<float, Isa::vector_bytes / 2>::Type;
  static constexpr int lanes = Wide::lanes;
  static constexpr int rows_per_tile = Isa::rows_per_narrow_tile / 2;

  [[gnu::always_inline]] static Lanes splat(float value) {
    return Wide::splat(static_cast<double>(value));
  }
  [[gnu::always_inline]] static Lanes load(const std::byte* elements) {
    Floats loaded;
    __builtin_memcpy(&loaded, elements, sizeof loaded);
    return __builtin_convertvector(loaded, Lanes);
  }
  [[gnu::always_inline]] static void store(Lanes stored, std::byte* elements) {
    const Floats floats = __builtin_convertvector(stored, Floats);
    __builtin_memcpy(elements, &floats, sizeof floats);
  }
  [[gnu::always_inline]] static Lanes add(Lanes sum, Lanes a, Lanes b) {
    return rounded(SumRoundedToOdd<Lanes, SignedPatterns>::of(a * b, sum));
  }

 private:
  [[gnu::always_inline]] static Lanes rounded(Lanes values) {
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    constexpr std::uint64_t half_below = (std::uint64_t{1} << 44) - 1;
    constexpr std::uint64_t kept = ~((std::uint64_t{1} << 45) - 1);
    const auto bits = reinterpret_cast<Patterns>(values);
    const Patterns unsigned_bits = bits & ~sign;
    const auto magnitude = reinterpret_cast<Lanes>(unsigned_bits);
    const auto normal =
        reinterpret_cast<Lanes>((unsigned_bits + (((bits >> 45) & 1) + half_below)) & kept);
    // In its subnormal range bf16 counts in 2^-133, the last place of 1.5·2^-81.
    constexpr double anchor = 0x1.8p-81;
    const Lanes subnormal = (magnitude + anchor) - anchor;
    const Lanes nearest = magnitude < 0x1p-126 ? subnormal : normal;
    // From 2^128 on it overflows, as a double does from 2^1024 on; the scaling is exact else.
    const Lanes bounded = (nearest * 0x1p896) * 0x1p-896;
    return reinterpret_cast<Lanes>(reinterpret_cast<Patterns>(bounded) | (bits & sign));
  }
};

}  // namespace shardcheck::impl
