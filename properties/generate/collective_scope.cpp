#include "collective_scope.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/model/case/limits.h>

#include "collective_generate.h"
#include "scope.h"

namespace shardcheck {
namespace {

/// One key of `--only` as cases of collectives know it.
struct Key {
  std::string_view name;
  std::function<std::string()> values;  ///< what exists, for a message
  std::function<bool(CollectiveScope&, std::string_view)> set;
};

constexpr std::array<std::string_view, 5> rule_names{"balanced", "ceil", "sizes", "cyclic", "sets"};
constexpr std::array<std::string_view, 2> order_names{"declared", "any"};
/// `given` values are written by people and by the minimiser, a trace by a run.
constexpr std::array<std::string_view, 6> regime_names{"ints", "rounding", "probe",
                                                       "wide", "cancel",   "special"};
constexpr std::array<std::string_view, 4> run_names{"fibers", "pct", "", "threads"};
constexpr std::array<std::string_view, 2> placement_names{"no", "yes"};

std::string_view text_of(std::string_view name) { return name; }
template <typename Info>
std::string_view text_of(const Info& entry) {
  return entry.name;
}

/// A key whose values have the names of a table in the order of the enumerators.
template <typename Value, typename Table>
Key named_key(std::string_view name, std::optional<Value> CollectiveScope::*member,
              const Table& table) {
  return {name,
          [&table] {
            std::string text;
            for (const auto& entry : table) {
              if (text_of(entry).empty()) continue;
              text += fmt::format("{}{}", text.empty() ? "" : ", ", text_of(entry));
            }
            return text;
          },
          [member, &table](CollectiveScope& scope, std::string_view text) {
            for (std::size_t at = 0; at < table.size(); ++at) {
              if (!text.empty() && text_of(table[at]) == text)
                scope.*member = static_cast<Value>(at);
            }
            return (scope.*member).has_value();
          }};
}

Key number_key(std::string_view name, std::optional<std::int64_t> CollectiveScope::*member,
               std::int64_t low, std::int64_t high) {
  return {name, [low, high] { return fmt::format("{} to {}", low, high); },
          [member, low, high](CollectiveScope& scope, std::string_view text) {
            std::int64_t value = 0;
            const auto [end, error] =
                std::from_chars(text.data(), text.data() + text.size(), value);
            const bool is_number = error == std::errc{} && end == text.data() + text.size();
            if (is_number && value >= low && value <= high) scope.*member = value;
            return (scope.*member).has_value();
          }};
}

/// The case grammar's own reading of a mesh, so that there is one.
bool set_mesh(CollectiveScope& scope, std::string_view text) {
  const auto subject = parse_calls(fmt::format("all_reduce mesh={} n=0", text));
  if (subject) scope.mesh = subject->mesh;
  return subject.has_value();
}

const std::vector<Key>& keys() {
  constexpr std::int64_t length_max = 4096;
  static const std::vector<Key> table{
      named_key("collective", &CollectiveScope::collective, collective_names),
      named_key("algorithm", &CollectiveScope::algorithm, algorithms),
      named_key("op", &CollectiveScope::op, operators),
      named_key("in", &CollectiveScope::in, dtypes),
      named_key("acc", &CollectiveScope::acc, dtypes),
      {"mesh", [] { return std::string("a mesh such as x4 or x2,y3"); }, set_mesh},
      number_key("ranks", &CollectiveScope::ranks, 1, limits::ranks),
      number_key("n", &CollectiveScope::n, 0, length_max),
      named_key("split.n", &CollectiveScope::rule, rule_names),
      named_key("in_place", &CollectiveScope::in_place, placement_names),
      named_key("order", &CollectiveScope::order, order_names),
      named_key("data", &CollectiveScope::regime, regime_names),
      named_key("run", &CollectiveScope::run, run_names),
  };
  return table;
}

const Key* key_named(std::string_view name) {
  const auto found = std::find_if(keys().begin(), keys().end(),
                                  [name](const Key& key) { return key.name == name; });
  return found == keys().end() ? nullptr : &*found;
}

template <typename Value>
bool agrees(const std::optional<Value>& wanted, const Value& value) {
  return !wanted || *wanted == value;
}

bool has_wanted_call(const CollectiveScope& scope, const CallsCase& subject) {
  return std::any_of(subject.calls.begin(), subject.calls.end(), [&](const Call& call) {
    return agrees(scope.collective, call.collective) && agrees(scope.algorithm, call.algorithm);
  });
}

/// Takes a key of `--only` into the scopes that know it; a scope that doesn't is ruled out.
std::optional<std::string> restrict(Scopes& scopes, const std::string& name,
                                    const std::string& value) {
  const Key* key = key_named(name);
  const bool is_products = is_product_key(name);
  if (key == nullptr && !is_products) {
    return fmt::format(
        "{}; kind; and of collectives alone collective, algorithm, op, n, split.n, in_place",
        scope_of({{{name, value}}}).error());
  }
  if (!is_products) scopes.products.reset();
  if (scopes.products) scopes.products->only.emplace_back(name, value);
  if (key == nullptr) scopes.collectives.reset();
  if (scopes.collectives && !key->set(*scopes.collectives, value)) {
    // A value that products alone know leaves products alone.
    if (!scopes.products || !scope_of({{{name, value}}})) {
      return fmt::format("'{}' is no value of '{}'; there are: {}", value, name, key->values());
    }
    scopes.collectives.reset();
  }
  return std::nullopt;
}

using Restriction = std::pair<std::string, std::string>;

/// A value that products alone know counts as theirs.
bool is_of_products_alone(const Restriction& entry) {
  const auto& [name, value] = entry;
  if (name == "kind") return value == "matmul";
  CollectiveScope scope;
  const Key* key = key_named(name);
  return key == nullptr || !key->set(scope, value);
}

bool is_of_collectives_alone(const Restriction& entry) {
  return entry.first == "kind" ? entry.second == "collective" : !is_product_key(entry.first);
}

std::string without_a_kind(const Restrictions& restrictions) {
  std::string products;
  std::string collectives;
  for (const Restriction& entry : restrictions.only) {
    const std::string text = fmt::format(" {}={}", entry.first, entry.second);
    if (is_of_products_alone(entry)) products += text;
    if (is_of_collectives_alone(entry)) collectives += text;
  }
  return fmt::format(
      "no kind of case has all these keys: of products alone{}; of collectives alone{}", products,
      collectives);
}

}  // namespace

tl::expected<Scopes, std::string> scopes_of(const Restrictions& restrictions) {
  Scopes scopes{Restrictions{}, CollectiveScope{}};
  for (const auto& [name, value] : restrictions.only) {
    if (name == "kind") {
      if (value != "matmul" && value != "collective") {
        return tl::unexpected<std::string>(
            fmt::format("'{}' is no value of 'kind'; there are: matmul, collective", value));
      }
      if (value == "matmul") scopes.collectives.reset();
      if (value == "collective") scopes.products.reset();
      continue;
    }
    if (auto problem = restrict(scopes, name, value)) return tl::unexpected<std::string>(*problem);
  }
  if (!scopes.products && !scopes.collectives) {
    return tl::unexpected<std::string>(without_a_kind(restrictions));
  }
  if (scopes.products) {
    const auto valid = validate(*scopes.products);
    if (!valid && !scopes.collectives) return tl::unexpected<std::string>(valid.error());
    if (!valid) scopes.products.reset();
  }
  if (scopes.collectives) {
    SeededEntropy fixed(0);
    if (!draw_collective(fixed, *scopes.collectives)) scopes.collectives.reset();
  }
  if (!scopes.products && !scopes.collectives) {
    return tl::unexpected<std::string>("no legal case found that meets all restrictions together");
  }
  return scopes;
}

bool allows(const CollectiveScope& scope, const CallsCase& subject) {
  const bool is_reducing = std::any_of(subject.calls.begin(), subject.calls.end(),
                                       [](const Call& call) { return reduces(call.collective); });
  if (scope.op && (!is_reducing || subject.op != *scope.op)) return false;
  if (scope.rule && subject.split.rule != *scope.rule) return false;
  if (scope.n && (!subject.counts.empty() || subject.n != *scope.n)) return false;
  return has_wanted_call(scope, subject) && agrees(scope.in, subject.dtypes.in) &&
         agrees(scope.acc, subject.dtypes.acc) && agrees(scope.mesh, subject.mesh) &&
         agrees(scope.ranks, rank_count(subject.mesh)) &&
         agrees(scope.in_place, subject.in_place) && agrees(scope.order, subject.order) &&
         agrees(scope.regime, subject.data.regime) && agrees(scope.run, subject.run.kind);
}

}  // namespace shardcheck
