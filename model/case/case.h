#pragma once

/// A case: everything that is asked of a backend, and nothing that is answered. One case is one
/// line of text (text.h; docs/case-format.md). Every default is filled in when a line is parsed, so
/// that nobody who reads a case needs to know the defaults.
///
/// A case is a setting (setting.h), which every kind has, and its work, which is its kind's own:
///
///     if (const auto* product = std::get_if<ProductCase>(&subject)) ... product->k ...
///     setting(subject).mesh

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>

#include "calls_case.h"
#include "product_case.h"
#include "setting.h"

namespace shardcheck {

/// In the order of Kind.
using Case = std::variant<ProductCase, CallsCase>;

enum class Kind : std::uint8_t {
  product,  ///< a sharded product: lines that begin with `matmul`
  calls     ///< collectives alone, one or a few in a row
};

struct KindInfo {
  Kind kind = Kind::product;
  std::string_view name;  ///< as in `--only kind=`
  std::string_view meaning;
};

/// In the order of the enumerators.
inline constexpr std::array<KindInfo, 2> kinds{{
    {Kind::product, "matmul", "a sharded product"},
    {Kind::calls, "collective", "collectives alone, one or a few in a row"},
}};

constexpr std::string_view name(Kind kind) { return kinds[static_cast<std::size_t>(kind)].name; }

inline Kind kind_of(const Case& subject) { return static_cast<Kind>(subject.index()); }

inline const Setting& setting(const Case& subject) {
  return std::visit([](const auto& one) -> const Setting& { return one; }, subject);
}

inline Setting& setting(Case& subject) {
  return std::visit([](auto& one) -> Setting& { return one; }, subject);
}

}  // namespace shardcheck
