#include "convert.h"

#include <cstring>

#include "dtype_words.h"
#include "vector_forms.h"

#ifdef __FAST_MATH__
#error "-ffast-math changes what a sum means"
#endif

namespace shardcheck::impl {
namespace {

template <typename From, typename To, typename Step>
inline void convert_words(const std::byte* __restrict source, std::byte* __restrict destination,
                          std::int64_t count, Step step) {
  for (std::int64_t n = 0; n < count; ++n) {
    From from;
    std::memcpy(&from, source + n * static_cast<std::int64_t>(sizeof(From)), sizeof(From));
    const To to = step(from);
    std::memcpy(destination + n * static_cast<std::int64_t>(sizeof(To)), &to, sizeof(To));
  }
}

/// destination[n] = step(source[n]) over raw arrays that may be unaligned.
template <typename From, typename To, typename Step>
void for_each_word(const std::byte* source, std::byte* destination, std::int64_t count, Step step) {
  vectorised([=] { convert_words<From, To>(source, destination, count, step); });
}

template <typename Stored, typename Element>
void widen_all(const std::byte* source, std::byte* destination, std::int64_t count) {
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

template <typename Real>
void unify_nans_of(Real* sums, std::int64_t count) {
  for (std::int64_t n = 0; n < count; ++n) sums[n] = canonical(sums[n]);
}

}  // namespace

float round_to_f16(float value) { return decode<F16>(encode<F16>(value)); }
float round_to_bf16(float value) { return decode<Bf16>(encode<Bf16>(value)); }
float round_to_f16(double value) { return decode<F16>(encode<F16>(value)); }
float round_to_bf16(double value) { return decode<Bf16>(encode<Bf16>(value)); }

Widen widening(Dtype from, Storage to) {
  if (is_stored_as_is(from, to)) return nullptr;
  switch (to) {
    case Storage::f32:
      return dispatch_float(
          from, [](auto element) -> Widen { return widen_all<float, decltype(element)>; });
    case Storage::f64:
      return dispatch_float(
          from, [](auto element) -> Widen { return widen_all<double, decltype(element)>; });
    case Storage::u32:
      return dispatch_integer(
          from, [](auto element) -> Widen { return widen_all<std::uint32_t, decltype(element)>; });
    case Storage::u64: break;
  }
  return dispatch_integer(
      from, [](auto element) -> Widen { return widen_all<std::uint64_t, decltype(element)>; });
}

void widen(Dtype from, const std::byte* source, Storage to, std::byte* destination,
           std::int64_t count) {
  if (const Widen step = widening(from, to)) return step(source, destination, count);
  if (count > 0) {
    std::memcpy(destination, source, static_cast<std::size_t>(count * bytes_of(to)));
  }
}

void unify_nans(Storage storage, std::byte* sums, std::int64_t count) {
  switch (storage) {
    case Storage::f32: return unify_nans_of(reinterpret_cast<float*>(sums), count);
    case Storage::f64: return unify_nans_of(reinterpret_cast<double*>(sums), count);
    case Storage::u32:
    case Storage::u64: break;
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

}  // namespace shardcheck::impl
