#pragma once

/// What counts as plain where a case has a free choice of names: minimised cases end there.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include <shardcheck/model/case/product_case.h>

namespace shardcheck {

/// Dtypes from the plainest to the oddest.
inline constexpr std::array<Dtype, dtypes.size()> dtypes_by_plainness{
    Dtype::f32, Dtype::i32,      Dtype::f64,    Dtype::i64, Dtype::bf16, Dtype::f16, Dtype::u32,
    Dtype::u64, Dtype::f8e4m3fn, Dtype::f8e5m2, Dtype::i8,  Dtype::u8,   Dtype::i16, Dtype::u16};

constexpr std::uint64_t plainness(Dtype dtype) {
  return static_cast<std::uint64_t>(
      std::find(dtypes_by_plainness.begin(), dtypes_by_plainness.end(), dtype) -
      dtypes_by_plainness.begin());
}

inline constexpr std::array<std::string_view, 3> plain_axis_names{"x", "y", "z"};

/// Mesh axes that aren't called x, y, z in that order.
inline std::uint64_t unusual_names(const Mesh& mesh) {
  std::uint64_t count = 0;
  for (std::size_t axis = 0; axis < mesh.axes.size(); ++axis) {
    const bool is_usual =
        axis < plain_axis_names.size() && mesh.axes[axis].name == plain_axis_names[axis];
    if (!is_usual) ++count;
  }
  return count;
}

}  // namespace shardcheck
