#pragma once

/// Restrictions once they are understood: what each drawn part of a case is held to.
///
///     scope_of({{{"in", "bf16"}, {"mesh", "x4"}}})->dtypes.in == Dtype::bf16

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include <shardcheck/model/case/product_case.h>

#include "generate.h"

namespace shardcheck {

/// Nothing: free.
struct Scope {
  std::optional<Dtype> in;
  std::optional<Dtype> acc;
  std::optional<Dtype> wire;
  std::optional<Dtype> out;
  std::optional<Mesh> mesh;
  std::optional<std::int64_t> ranks;
  std::array<std::optional<std::int64_t>, 3> extents;  ///< by Axis
  std::array<std::optional<Split::Rule>, 3> rules;     ///< by Axis, wherever the axis is cut
  std::array<std::optional<Algorithm>, plan_collective_count> algorithms;
  std::optional<std::string> plan;  ///< "auto", or a plan's text
  std::optional<Order> order;
  std::optional<Kernel> kernel;
  std::optional<Fma> fma;
  std::optional<Data::Regime> regime;
  std::optional<Run::Kind> run;
};

/// Or what is wrong with the first bad entry, in one line.
tl::expected<Scope, std::string> scope_of(const Restrictions& restrictions);

/// Whether cases of products know such a key at all.
bool is_product_key(std::string_view name);

bool allows(const Scope& scope, const DtypeCombination& combination);

/// True if the case is one that the restrictions ask for.
bool allows(const Scope& scope, const ProductCase& subject);

}  // namespace shardcheck
