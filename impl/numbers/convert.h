#pragma once

/// Conversions between dtypes: bit-level code for whole arrays, written for speed.
///
/// Sums are held in a *storage* type that the machine adds in: float for f16, bf16 and f32, double
/// for f64, an unsigned word for 32- and 64-bit integers. Widening into storage is exact;
/// narrowing rounds to nearest, ties to even, with gradual underflow, once. Every NaN becomes the
/// positive quiet one. f8e4m3fn: above 464 NaN; f8e5m2: from 61440 infinity. Integers wrap modulo
/// 2^width.
///
///     narrow(Storage::f32, sums, Dtype::bf16, wire, count);   // 257.0f becomes 256
///
/// Assumes the machine's rounding is to nearest and that it doesn't flush subnormals. Arrays may
/// be unaligned; source and destination don't overlap. Any thread.

#include <cstddef>
#include <cstdint>

#include <shardcheck/model/case/dtype.h>

#include <shardcheck/impl/kernels/kernel.h>

namespace shardcheck::impl {

enum class Storage : std::uint8_t { f32, f64, u32, u64 };

constexpr Storage storage_of(Dtype acc) {
  const DtypeInfo& dtype = info(acc);
  if (dtype.is_float) return dtype.bytes == 8 ? Storage::f64 : Storage::f32;
  return dtype.bytes == 8 ? Storage::u64 : Storage::u32;
}

constexpr std::int64_t bytes_of(Storage storage) {
  return storage == Storage::f64 || storage == Storage::u64 ? 8 : 4;
}

/// True if elements of `dtype` lie in storage as they travel, bit for bit.
constexpr bool is_stored_as_is(Dtype dtype, Storage storage) {
  return info(dtype).bytes == bytes_of(storage) && storage_of(dtype) == storage;
}

/// widen() of that dtype into that storage; nothing where elements are stored as they travel.
Widen widening(Dtype from, Storage to);

/// Requires: every value of `from` is a value of the storage type (modulo 2^width for integers).
void widen(Dtype from, const std::byte* source, Storage to, std::byte* destination,
           std::int64_t count);

/// Requires: `to` is a float exactly if `from` is.
void narrow(Storage from, const std::byte* source, Dtype to, std::byte* destination,
            std::int64_t count);

/// One pattern for every NaN, in place. Aligned.
void unify_nans(Storage storage, std::byte* sums, std::int64_t count);

/// The value of `acc` (f16 or bf16) nearest to `value`, as a float.
float round_to_f16(float value);
float round_to_bf16(float value);
float round_to_f16(double value);
float round_to_bf16(double value);

}  // namespace shardcheck::impl
