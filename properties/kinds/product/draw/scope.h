#pragma once

/// What a drawn product is held to, beside its setting.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/properties/generate/key.h>
#include <shardcheck/properties/generate/setting_scope.h>

namespace shardcheck {

/// Nothing: free.
struct ProductScope : SettingScope {
  std::optional<Dtype> wire;
  std::optional<Dtype> out;
  std::array<std::optional<std::int64_t>, 3> extents;  ///< by Axis
  std::array<std::optional<Split::Rule>, 3> rules;     ///< by Axis, wherever the axis is cut
  std::array<std::optional<Algorithm>, plan_collective_count> algorithms;
  std::optional<std::string> plan;  ///< "auto", or a plan's text
  std::optional<Kernel> kernel;
  std::optional<Fma> fma;
};

/// Those that products alone have.
const std::vector<Key>& product_keys();

/// Why no product at all can meet the scope, in one line, as far as that can be said.
std::optional<std::string> contradiction(const ProductScope& scope);

bool allows(const ProductScope& scope, const DtypeCombination& combination);

/// True if the case is one that the scope asks for.
bool allows(const ProductScope& scope, const ProductCase& subject);

}  // namespace shardcheck
