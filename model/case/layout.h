#pragma once

/// How a tensor is laid out over a mesh: a description, with no arithmetic.
///
/// `A[i,k/x]`: axis k of A is divided over mesh axis x. `A[i/x/y,k]`: i is cut over x, then each
/// part over y. A mesh axis that a tensor doesn't name holds replicas of it. `C[i,j]+x`: C is an
/// unfinished sum, whose terms are spread over x.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace shardcheck {

enum class Axis : std::uint8_t { i, j, k };
enum class Tensor : std::uint8_t { a, b, c };

/// The axes of a tensor, rows first: A is i×k, B is k×j, C is i×j; row-major.
constexpr std::array<Axis, 2> axes_of(Tensor tensor) {
  switch (tensor) {
    case Tensor::a: return {Axis::i, Axis::k};
    case Tensor::b: return {Axis::k, Axis::j};
    case Tensor::c: return {Axis::i, Axis::j};
  }
  return {};
}

constexpr std::string_view name(Axis axis) {
  constexpr std::array<std::string_view, 3> names{"i", "j", "k"};
  return names[static_cast<std::size_t>(axis)];
}

constexpr std::string_view name(Tensor tensor) {
  constexpr std::array<std::string_view, 3> names{"A", "B", "C"};
  return names[static_cast<std::size_t>(tensor)];
}

/// The rule by which an axis of n elements is cut into p parts.
struct Split {
  enum class Rule : std::uint8_t {
    balanced,  ///< contiguous; the first n mod p parts have one element more
    ceil,      ///< contiguous; ceil(n/p) each until nothing is left, then short or empty
    sizes,     ///< contiguous; the given number of elements each
    cyclic,    ///< blocks of `block` elements dealt out in turn
    sets       ///< the given indices; their order is the order in which the owner holds them
  };

  Rule rule = Rule::balanced;
  std::int64_t block = 1;                       ///< cyclic only; at least 1
  std::vector<std::int64_t> sizes;              ///< sizes only; one entry a part
  std::vector<std::vector<std::int64_t>> sets;  ///< sets only; one entry a part, disjoint, covering

  bool operator==(const Split&) const = default;
};

struct SplitRuleInfo {
  Split::Rule rule = Split::Rule::balanced;
  std::string_view name;
  std::string_view form;  ///< as in a case line
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<SplitRuleInfo, 5> split_rules{{
    {Split::Rule::balanced, "balanced", "balanced",
     "contiguous; the first n mod p parts have one element more"},
    {Split::Rule::ceil, "ceil", "ceil",
     "contiguous; ceil(n/p) each until nothing is left, then short or empty"},
    {Split::Rule::sizes, "sizes", "sizes:4,0,3", "contiguous; the given number of elements each"},
    {Split::Rule::cyclic, "cyclic", "cyclic:2", "blocks of that many elements dealt out in turn"},
    {Split::Rule::sets, "sets", "sets:0,2|1", "the given indices, in the given order"},
}};

constexpr std::string_view name(Split::Rule rule) {
  return split_rules[static_cast<std::size_t>(rule)].name;
}

/// One tensor axis over the mesh.
///
/// With several mesh axes the cut is nested: `balanced`, `ceil` and `cyclic` cut the axis over the
/// first, then each part, by position within the part, over the next. `sizes` and `sets` name all
/// final parts; the part of a rank is numbered with the first mesh axis slowest.
struct Cut {
  std::vector<int> over;  ///< indices into Mesh::axes, outermost first; empty: not divided
  Split split;            ///< `balanced` if not divided

  bool operator==(const Cut&) const = default;
};

struct Layout {
  Cut rows;
  Cut columns;
  std::vector<int>
      partial_over;  ///< C alone: mesh axes over which the sum is unfinished, ascending

  bool operator==(const Layout&) const = default;
};

}  // namespace shardcheck
