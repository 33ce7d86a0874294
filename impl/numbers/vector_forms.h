#pragma once

/// A loop compiled twice, for the instructions that every x86-64 has and for AVX2, and run in the
/// form that the machine has. Both give the same bits: what the loop does to one element doesn't
/// depend on its neighbours, and no product is fused with a sum.
///
///     vectorised([&] { add(source, sums, count); });   // add: a plain loop, inline
///
/// Any thread.

namespace shardcheck::impl {

/// `flatten` puts the loop itself into this function, so that it is compiled for its target.
template <typename Loop>
__attribute__((target("avx2"), flatten)) void with_avx2(const Loop& loop) {
  loop();
}

template <typename Loop>
void vectorised(const Loop& loop) {
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) {
    with_avx2(loop);
  } else {
    loop();
  }
}

}  // namespace shardcheck::impl
