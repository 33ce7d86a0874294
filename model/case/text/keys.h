#pragma once

/// The keys of a case line: one table that the parser, its errors and docs/case-format.md follow.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <shardcheck/model/case/names.h>
#include <shardcheck/model/case/product_case.h>

namespace shardcheck {

enum class Key : std::uint8_t {
  mesh,
  i,
  j,
  k,
  split_i,
  split_a_i,
  split_c_i,
  split_j,
  split_b_j,
  split_c_j,
  split_k,
  split_a_k,
  split_b_k,
  in,
  acc,
  wire,
  out,
  algorithm_all_reduce,
  algorithm_reduce_scatter,
  algorithm_all_gather,
  plan,
  order,
  kernel,
  fma,
  data,
  a,
  b,
  run
};

struct KeyInfo {
  Key key = Key::mesh;
  std::string_view name;
  std::string_view value;  ///< the form of the value, for errors
};

inline constexpr std::string_view split_form = listed_forms<split_rules>;
inline constexpr std::string_view dtype_form = listed_names<dtypes>;
inline constexpr std::string_view algorithm_form = "an algorithm of that collective";

/// In the order of the enumerators, which is that of the canonical text.
inline constexpr std::array<KeyInfo, 28> keys{{
    {Key::mesh, "mesh", "axes with their sizes, as x2,y3"},
    {Key::i, "i", "a size"},
    {Key::j, "j", "a size"},
    {Key::k, "k", "a size"},
    {Key::split_i, "split.i", split_form},
    {Key::split_a_i, "split.A.i", split_form},
    {Key::split_c_i, "split.C.i", split_form},
    {Key::split_j, "split.j", split_form},
    {Key::split_b_j, "split.B.j", split_form},
    {Key::split_c_j, "split.C.j", split_form},
    {Key::split_k, "split.k", split_form},
    {Key::split_a_k, "split.A.k", split_form},
    {Key::split_b_k, "split.B.k", split_form},
    {Key::in, "in", dtype_form},
    {Key::acc, "acc", dtype_form},
    {Key::wire, "wire", dtype_form},
    {Key::out, "out", dtype_form},
    {Key::algorithm_all_reduce, "algorithm.all_reduce", algorithm_form},
    {Key::algorithm_reduce_scatter, "algorithm.reduce_scatter", algorithm_form},
    {Key::algorithm_all_gather, "algorithm.all_gather", algorithm_form},
    {Key::plan, "plan", "auto, or steps as local+reduce_scatter:C/x"},
    {Key::order, "order", listed_names<orders>},
    {Key::kernel, "kernel", listed_names<kernels>},
    {Key::fma, "fma", listed_names<fmas>},
    {Key::data, "data", listed_forms<regimes>},
    {Key::a, "A", "the values of A, row by row, as 1,-2.5,0x1p-10,nan"},
    {Key::b, "B", "the values of B, row by row, as 1,-2.5,0x1p-10,nan"},
    {Key::run, "run", listed_forms<run_kinds>},
}};

constexpr const KeyInfo& info(Key key) { return keys[static_cast<std::size_t>(key)]; }

std::optional<Key> key_named(std::string_view name);

/// The one of `known` that takes the least editing to reach from `name`, letters in the wrong case
/// least of all; the first of equals. Requires: `known` isn't empty.
std::string_view nearest(std::string_view name, std::span<const std::string_view> known);

/// Likewise among the keys of a product.
std::string_view nearest_key(std::string_view name);

}  // namespace shardcheck
