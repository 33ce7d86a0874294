#include "convert.h"

#include <cmath>
#include <cstring>
#include <utility>

#include <shardcheck/model/case/contract.h>

#include "float_bits.h"

#ifdef __FAST_MATH__
#error "-ffast-math changes what a sum means"
#endif

namespace shardcheck::impl {
namespace {

/// One dtype as it lies in memory: its word, and the value that the word stands for.
template <typename Format>
struct Narrow {
  using Word = typename Format::Pattern;
  static float value(Word word) { return decode<Format>(word); }
  template <typename Real>
  static Word word(Real number) {
    return encode<Format>(number);
  }
};

template <typename Real>
struct Wide {
  using Word = Real;
  static Real value(Word word) { return word; }
  template <typename Other>
  static Word word(Other number) {
    return canonical(static_cast<Real>(number));
  }
};

template <typename Int>
struct Whole {
  using Word = Int;
  static Int value(Word word) { return word; }
  template <typename Unsigned>
  static Word word(Unsigned number) {
    return static_cast<Int>(number);
  }
};

/// Calls `with` for the dtype, as a type.
template <typename Function>
auto dispatch_float(Dtype dtype, Function with) {
  switch (dtype) {
    case Dtype::f8e4m3fn: return with(Narrow<F8e4m3fn>{});
    case Dtype::f8e5m2: return with(Narrow<F8e5m2>{});
    case Dtype::f16: return with(Narrow<F16>{});
    case Dtype::bf16: return with(Narrow<Bf16>{});
    case Dtype::f32: return with(Wide<float>{});
    case Dtype::f64: return with(Wide<double>{});
    case Dtype::i8:
    case Dtype::u8:
    case Dtype::i16:
    case Dtype::u16:
    case Dtype::i32:
    case Dtype::u32:
    case Dtype::i64:
    case Dtype::u64: break;
  }
  SHARDCHECK_REQUIRE(false, "floats and integers don't mix in a legal case");
  return with(Wide<double>{});
}

template <typename Function>
auto dispatch_integer(Dtype dtype, Function with) {
  switch (dtype) {
    case Dtype::i8: return with(Whole<std::int8_t>{});
    case Dtype::u8: return with(Whole<std::uint8_t>{});
    case Dtype::i16: return with(Whole<std::int16_t>{});
    case Dtype::u16: return with(Whole<std::uint16_t>{});
    case Dtype::i32: return with(Whole<std::int32_t>{});
    case Dtype::u32: return with(Whole<std::uint32_t>{});
    case Dtype::i64: return with(Whole<std::int64_t>{});
    case Dtype::u64: return with(Whole<std::uint64_t>{});
    case Dtype::f8e4m3fn:
    case Dtype::f8e5m2:
    case Dtype::f16:
    case Dtype::bf16:
    case Dtype::f32:
    case Dtype::f64: break;
  }
  SHARDCHECK_REQUIRE(false, "floats and integers don't mix in a legal case");
  return with(Whole<std::uint64_t>{});
}

/// destination[n] = step(source[n]) over raw arrays that may be unaligned.
template <typename From, typename To, typename Step>
void for_each_word(const std::byte* source, std::byte* destination, std::int64_t count, Step step) {
  for (std::int64_t n = 0; n < count; ++n) {
    From from;
    std::memcpy(&from, source + n * static_cast<std::int64_t>(sizeof(From)), sizeof(From));
    const To to = step(from);
    std::memcpy(destination + n * static_cast<std::int64_t>(sizeof(To)), &to, sizeof(To));
  }
}

template <typename Stored, typename Element>
void widen_all(Element, const std::byte* source, std::byte* destination, std::int64_t count) {
  using Word = typename Element::Word;
  for_each_word<Word, Stored>(source, destination, count,
                              [](Word word) { return static_cast<Stored>(Element::value(word)); });
}

template <typename Stored, typename Element>
void narrow_all(Element, const std::byte* source, std::byte* destination, std::int64_t count) {
  using Word = typename Element::Word;
  for_each_word<Stored, Word>(source, destination, count,
                              [](Stored stored) { return Element::word(stored); });
}

template <typename Stored, typename Element, typename Round>
void add_all(Element, const std::byte* source, std::byte* sums, std::int64_t count, Round round) {
  using Word = typename Element::Word;
  auto* sum = reinterpret_cast<Stored*>(sums);
  for (std::int64_t n = 0; n < count; ++n) {
    Word word;
    std::memcpy(&word, source + n * static_cast<std::int64_t>(sizeof(Word)), sizeof(Word));
    sum[n] = round(static_cast<Stored>(static_cast<Stored>(Element::value(word)) + sum[n]));
  }
}

constexpr auto unrounded = [](auto value) { return value; };

template <typename Element>
void add_floats(Element element, const std::byte* source, Dtype acc, std::byte* sums,
                std::int64_t count) {
  if (acc == Dtype::f16) {
    add_all<float>(element, source, sums, count, [](float sum) { return round_to_f16(sum); });
  } else if (acc == Dtype::bf16) {
    add_all<float>(element, source, sums, count, [](float sum) { return round_to_bf16(sum); });
  } else {
    add_all<float>(element, source, sums, count, unrounded);
  }
}

}  // namespace

float round_to_f16(float value) { return decode<F16>(encode<F16>(value)); }
float round_to_bf16(float value) { return decode<Bf16>(encode<Bf16>(value)); }
float round_to_f16(double value) { return decode<F16>(encode<F16>(value)); }
float round_to_bf16(double value) { return decode<Bf16>(encode<Bf16>(value)); }

void widen(Dtype from, const std::byte* source, Storage to, std::byte* destination,
           std::int64_t count) {
  if (is_stored_as_is(from, to)) {
    if (count > 0) {
      std::memcpy(destination, source, static_cast<std::size_t>(count * bytes_of(to)));
    }
    return;
  }
  switch (to) {
    case Storage::f32:
      return dispatch_float(
          from, [&](auto element) { widen_all<float>(element, source, destination, count); });
    case Storage::f64:
      return dispatch_float(
          from, [&](auto element) { widen_all<double>(element, source, destination, count); });
    case Storage::u32:
      return dispatch_integer(from, [&](auto element) {
        widen_all<std::uint32_t>(element, source, destination, count);
      });
    case Storage::u64:
      return dispatch_integer(from, [&](auto element) {
        widen_all<std::uint64_t>(element, source, destination, count);
      });
  }
}

void narrow(Storage from, const std::byte* source, Dtype to, std::byte* destination,
            std::int64_t count) {
  switch (from) {
    case Storage::f32:
      return dispatch_float(
          to, [&](auto element) { narrow_all<float>(element, source, destination, count); });
    case Storage::f64:
      return dispatch_float(
          to, [&](auto element) { narrow_all<double>(element, source, destination, count); });
    case Storage::u32:
      return dispatch_integer(to, [&](auto element) {
        narrow_all<std::uint32_t>(element, source, destination, count);
      });
    case Storage::u64:
      return dispatch_integer(to, [&](auto element) {
        narrow_all<std::uint64_t>(element, source, destination, count);
      });
  }
}

void add_widened(Dtype from, const std::byte* source, Dtype acc, std::byte* sums,
                 std::int64_t count) {
  switch (storage_of(acc)) {
    case Storage::f32:
      return dispatch_float(from,
                            [&](auto element) { add_floats(element, source, acc, sums, count); });
    case Storage::f64:
      return dispatch_float(
          from, [&](auto element) { add_all<double>(element, source, sums, count, unrounded); });
    case Storage::u32:
      return dispatch_integer(from, [&](auto element) {
        add_all<std::uint32_t>(element, source, sums, count, unrounded);
      });
    case Storage::u64:
      return dispatch_integer(from, [&](auto element) {
        add_all<std::uint64_t>(element, source, sums, count, unrounded);
      });
  }
}

void add_stored(Dtype acc, const std::byte* addend, std::byte* sums, std::int64_t count) {
  switch (storage_of(acc)) {
    case Storage::f32: return add_floats(Wide<float>{}, addend, acc, sums, count);
    case Storage::f64: return add_all<double>(Wide<double>{}, addend, sums, count, unrounded);
    case Storage::u32:
      return add_all<std::uint32_t>(Whole<std::uint32_t>{}, addend, sums, count, unrounded);
    case Storage::u64:
      return add_all<std::uint64_t>(Whole<std::uint64_t>{}, addend, sums, count, unrounded);
  }
}

}  // namespace shardcheck::impl
