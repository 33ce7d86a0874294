#include "keys.h"

#include <algorithm>
#include <vector>

namespace shardcheck {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// A wrong letter costs 2, a letter in the wrong case 1.
std::size_t replacement_cost(char from, char to) {
  if (from == to) return 0;
  return lower(from) == lower(to) ? 1 : 2;
}

/// Levenshtein's distance, row by row; a missing or superfluous letter costs 2.
std::size_t edit_cost(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t t = 0; t <= to.size(); ++t) row[t] = 2 * t;
  for (std::size_t f = 1; f <= from.size(); ++f) {
    std::size_t diagonal = row[0];
    row[0] = 2 * f;
    for (std::size_t t = 1; t <= to.size(); ++t) {
      const std::size_t replaced = diagonal + replacement_cost(from[f - 1], to[t - 1]);
      diagonal = row[t];
      row[t] = std::min({replaced, row[t] + 2, row[t - 1] + 2});
    }
  }
  return row[to.size()];
}

}  // namespace

std::optional<Key> key_named(std::string_view name) {
  for (const KeyInfo& entry : keys) {
    if (entry.name == name) return entry.key;
  }
  return std::nullopt;
}

std::string_view nearest(std::string_view name, std::span<const std::string_view> known) {
  // No key is longer than 32 bytes; a longer name need not be read to its end.
  const std::string_view front = name.substr(0, 32);
  return *std::min_element(known.begin(), known.end(), [&](std::string_view a, std::string_view b) {
    return edit_cost(front, a) < edit_cost(front, b);
  });
}

std::string_view nearest_key(std::string_view name) {
  std::array<std::string_view, keys.size()> names;
  std::transform(keys.begin(), keys.end(), names.begin(),
                 [](const KeyInfo& entry) { return entry.name; });
  return nearest(name, names);
}

}  // namespace shardcheck
