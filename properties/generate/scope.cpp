#include "scope.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>

#include "drawing.h"
#include "key.h"

namespace shardcheck {
namespace {

using Problem = std::optional<std::string>;
using Restriction = std::pair<std::string, std::string>;

constexpr std::string_view impossible = "no legal case found that meets all restrictions together";

const Key* key_in(const std::vector<Key>& keys, std::string_view name) {
  const auto found = std::ranges::find(keys, name, &Key::name);
  return found == keys.end() ? nullptr : &*found;
}

/// The setting's key of that name, or the kind's own.
const Key* key_named(Kind kind, std::string_view name) {
  const Key* key = key_in(setting_keys(), name);
  return key != nullptr ? key : key_in(drawing_of(kind).own_keys(), name);
}

/// Levenshtein's distance, to guess which key was meant.
std::size_t edits_between(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t place = 0; place <= to.size(); ++place) row[place] = place;
  for (std::size_t line = 1; line <= from.size(); ++line) {
    std::size_t diagonal = row[0];
    row[0] = line;
    for (std::size_t place = 1; place <= to.size(); ++place) {
      const std::size_t changed = diagonal + (from[line - 1] == to[place - 1] ? 0 : 1);
      diagonal = row[place];
      row[place] = std::min({changed, row[place] + 1, row[place - 1] + 1});
    }
  }
  return row[to.size()];
}

/// For the guess alone: a word that people use for a key.
constexpr std::string_view meant_by(std::string_view name) { return name == "dtype" ? "in" : name; }

std::string unknown_key(std::string_view name) {
  const std::string_view meant = meant_by(name);
  std::string listed = fmt::format("kind, {}", names_of(setting_keys()));
  std::string_view nearest = "kind";
  const auto consider = [&](const std::vector<Key>& keys) {
    for (const Key& key : keys) {
      if (edits_between(meant, key.name) < edits_between(meant, nearest)) nearest = key.name;
    }
  };
  consider(setting_keys());
  for (const KindInfo& entry : kinds) {
    const std::vector<Key>& own = drawing_of(entry.kind).own_keys();
    consider(own);
    listed += fmt::format("; of {} alone {}", drawing_of(entry.kind).plural, names_of(own));
  }
  return fmt::format("no key '{}' to restrict; did you mean '{}'? Keys: {}", name, nearest, listed);
}

/// Takes `kind=...` into the scopes.
Problem restrict_kind(Scopes& scopes, const std::string& value) {
  if (std::ranges::find(kinds, value, &KindInfo::name) == kinds.end()) {
    return fmt::format("'{}' is no value of 'kind'; there are: {}", value, names_of(kinds));
  }
  for (const KindInfo& entry : kinds) {
    if (entry.name != value) rule_out(scopes, entry.kind);
  }
  return std::nullopt;
}

/// Takes a key of `--only` into the scopes that know it; a scope that doesn't is ruled out.
Problem restrict(Scopes& scopes, const Restriction& entry) {
  const auto& [name, value] = entry;
  if (name == "kind") return restrict_kind(scopes, value);
  bool is_known = false;
  for (const KindInfo& kind : kinds) {
    const Key* key = key_named(kind.kind, name);
    if (key == nullptr) {
      rule_out(scopes, kind.kind);
      continue;
    }
    is_known = true;
    if (!leaves(scopes, kind.kind)) continue;
    if (!key->set(setting_scope(scopes, kind.kind), value)) {
      return fmt::format("'{}' is no value of '{}'; there are: {}", value, name, key->values());
    }
  }
  return is_known ? Problem{} : unknown_key(name);
}

bool is_of_kind_alone(const Restriction& entry, Kind kind) {
  if (entry.first == "kind") return entry.second == name(kind);
  return key_in(drawing_of(kind).own_keys(), entry.first) != nullptr;
}

std::string without_a_kind(const Restrictions& restrictions) {
  std::string text = "no kind of case has all these keys:";
  for (const KindInfo& kind : kinds) {
    text += kind.kind == kinds.front().kind ? " of " : "; of ";
    text += fmt::format("{} alone", drawing_of(kind.kind).plural);
    for (const Restriction& entry : restrictions.only) {
      if (!is_of_kind_alone(entry, kind.kind)) continue;
      text += fmt::format(" {}={}", entry.first, entry.second);
    }
  }
  return text;
}

bool leaves_any(const Scopes& scopes) {
  return std::ranges::any_of(kinds,
                             [&](const KindInfo& entry) { return leaves(scopes, entry.kind); });
}

/// Why no case of the kind meets the scope.
Problem cannot_be_met(const Scopes& scopes, Kind kind) {
  if (auto problem = drawing_of(kind).contradiction(scopes)) return problem;
  SeededEntropy fixed(0);
  if (draw(fixed, scopes, kind)) return std::nullopt;
  return std::string(impossible);
}

}  // namespace

bool leaves(const Scopes& scopes, Kind kind) {
  switch (kind) {
    case Kind::product: return scopes.products.has_value();
    case Kind::calls: return scopes.calls.has_value();
  }
  return false;
}

void rule_out(Scopes& scopes, Kind kind) {
  switch (kind) {
    case Kind::product: scopes.products.reset(); break;
    case Kind::calls: scopes.calls.reset(); break;
  }
}

SettingScope& setting_scope(Scopes& scopes, Kind kind) {
  SHARDCHECK_REQUIRE(leaves(scopes, kind), "only what is left is held to anything");
  if (kind == Kind::product) return *scopes.products;
  return *scopes.calls;
}

tl::expected<Scopes, std::string> scopes_of(const Restrictions& restrictions) {
  Scopes scopes;
  for (const Restriction& entry : restrictions.only) {
    if (auto problem = restrict(scopes, entry)) return tl::unexpected<std::string>(*problem);
  }
  if (!leaves_any(scopes)) return tl::unexpected<std::string>(without_a_kind(restrictions));
  std::vector<std::string> problems;
  for (const KindInfo& entry : kinds) {
    if (!leaves(scopes, entry.kind)) continue;
    auto problem = cannot_be_met(scopes, entry.kind);
    if (!problem) continue;
    problems.push_back(*std::move(problem));
    rule_out(scopes, entry.kind);
  }
  if (leaves_any(scopes)) return scopes;
  // What each kind has against them is a different thing, if there are several.
  return tl::unexpected<std::string>(problems.size() == 1 ? problems.front()
                                                          : std::string(impossible));
}

tl::expected<void, std::string> validate(const Restrictions& restrictions) {
  const auto scopes = scopes_of(restrictions);
  if (!scopes) return tl::unexpected<std::string>(scopes.error());
  return {};
}

}  // namespace shardcheck
