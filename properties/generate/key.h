#pragma once

/// The keys of `--only`: what their values are, and how one is put into a scope. Those of the
/// setting, which every kind of case has, stand here; a kind's own stand in its scope.cpp.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/setting.h>

#include "setting_scope.h"

namespace shardcheck {

struct Key {
  std::string_view name;
  std::function<std::string()> values;  ///< what exists, for a message
  /// False if the text is no value. The scope is of the kind that the key belongs to.
  std::function<bool(SettingScope&, std::string_view)> set;
};

/// in, acc, mesh, ranks, order, data, run.
const std::vector<Key>& setting_keys();

inline std::string_view name_in(std::string_view entry) { return entry; }
template <typename Info>
std::string_view name_in(const Info& entry) {
  return entry.name;
}

/// "sum, product, min"; of names, or of entries that have one.
template <typename Table>
std::string names_of(const Table& table) {
  std::string text;
  for (const auto& entry : table) {
    if (!text.empty()) text += ", ";
    text += name_in(entry);
  }
  return text;
}

/// A number from low to high; nothing if the text is none.
std::optional<std::int64_t> number_within(std::string_view text, std::int64_t low,
                                          std::int64_t high);

/// The entry's place in a table in the order of the enumerators.
template <typename Value, typename Table>
std::optional<Value> value_named(const Table& table, std::string_view name) {
  for (std::size_t at = 0; at < table.size(); ++at) {
    if (name_in(table[at]) == name) return static_cast<Value>(at);
  }
  return std::nullopt;
}

/// A key whose value `read` makes of the text, for the place that `place` finds in the scope.
template <typename Scope, typename Place, typename Read>
Key key_of(std::string_view name, std::function<std::string()> values, Place place, Read read) {
  return {name, std::move(values), [place, read](SettingScope& scope, std::string_view text) {
            auto& target = place(static_cast<Scope&>(scope));
            target = read(text);
            return target.has_value();
          }};
}

/// A key whose values have the names of `table`, which is in the order of the enumerators.
template <typename Scope, typename Place, typename Table>
Key named_key(std::string_view name, Place place, const Table& table) {
  using Value = typename std::remove_cvref_t<decltype(place(std::declval<Scope&>()))>::value_type;
  return key_of<Scope>(
      name, [&table] { return names_of(table); }, place,
      [&table](std::string_view text) { return value_named<Value>(table, text); });
}

template <typename Scope, typename Value, typename Table>
Key named_key(std::string_view name, std::optional<Value> Scope::*member, const Table& table) {
  return named_key<Scope>(
      name, [member](Scope & scope) -> auto& { return scope.*member; }, table);
}

template <typename Scope, typename Place>
Key number_key(std::string_view name, Place place, std::int64_t low, std::int64_t high) {
  return key_of<Scope>(
      name, [low, high] { return fmt::format("{} to {}", low, high); }, place,
      [low, high](std::string_view text) { return number_within(text, low, high); });
}

/// Far above what is drawn: somebody may want to see one large size among small ones.
inline constexpr std::int64_t extent_asked_max = 4096;

template <typename Value>
bool agrees(const std::optional<Value>& wanted, const Value& value) {
  return !wanted || *wanted == value;
}

}  // namespace shardcheck
