#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <span>

#include <fmt/format.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>

#include "scope.h"

namespace shardcheck {
namespace {

using Problem = std::optional<std::string>;

/// One key of `--only`: what its values are, and how one is put into the scope.
struct Key {
  std::string_view name;
  std::function<std::string()> values;  ///< what exists, for a message
  std::function<bool(Scope&, std::string_view)> set;
};

template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

constexpr std::array<Named<Order>, 2> orders{{{"declared", Order::declared}, {"any", Order::any}}};
constexpr std::array<Named<Kernel>, 2> kernels{
    {{"ordered", Kernel::ordered}, {"fast", Kernel::fast}}};
constexpr std::array<Named<Fma>, 3> fmas{{{"no", Fma::no}, {"yes", Fma::yes}, {"any", Fma::any}}};
/// `given` values are written by people and by the minimiser, a trace by a run.
constexpr std::array<Named<Data::Regime>, 6> drawn_regimes{{{"ints", Data::Regime::ints},
                                                            {"rounding", Data::Regime::rounding},
                                                            {"probe", Data::Regime::probe},
                                                            {"wide", Data::Regime::wide},
                                                            {"cancel", Data::Regime::cancel},
                                                            {"special", Data::Regime::special}}};
constexpr std::array<Named<Run::Kind>, 3> runs{
    {{"fibers", Run::Kind::fibers}, {"pct", Run::Kind::pct}, {"threads", Run::Kind::threads}}};
constexpr std::array<Named<Split::Rule>, 5> rules{{{"balanced", Split::Rule::balanced},
                                                   {"ceil", Split::Rule::ceil},
                                                   {"sizes", Split::Rule::sizes},
                                                   {"cyclic", Split::Rule::cyclic},
                                                   {"sets", Split::Rule::sets}}};

template <typename Value, std::size_t Count>
std::optional<Value> value_named(const std::array<Named<Value>, Count>& table,
                                 std::string_view name) {
  for (const Named<Value>& entry : table) {
    if (entry.name == name) return entry.value;
  }
  return std::nullopt;
}

template <typename Table>
std::string names_of(const Table& table) {
  std::string text;
  for (const auto& entry : table) {
    if (!text.empty()) text += ", ";
    text += entry.name;
  }
  return text;
}

std::optional<std::int64_t> number(std::string_view text, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (value < low || value > high) return std::nullopt;
  return value;
}

Key dtype_key(std::string_view name, std::optional<Dtype> Scope::*member) {
  return {name, [] { return names_of(dtypes); },
          [member](Scope& scope, std::string_view text) {
            scope.*member = dtype_named(text);
            return (scope.*member).has_value();
          }};
}

template <typename Value, std::size_t Count>
Key named_key(std::string_view name, std::optional<Value> Scope::*member,
              const std::array<Named<Value>, Count>& table) {
  return {name, [&table] { return names_of(table); },
          [member, &table](Scope& scope, std::string_view text) {
            scope.*member = value_named(table, text);
            return (scope.*member).has_value();
          }};
}

/// Far above what is drawn: somebody may want to see one large size among small ones.
constexpr std::int64_t extent_max = 4096;

Key extent_key(Axis axis) {
  return {name(axis), [] { return fmt::format("0 to {}", extent_max); },
          [axis](Scope& scope, std::string_view text) {
            auto& place = scope.extents[static_cast<std::size_t>(axis)];
            place = number(text, 0, extent_max);
            return place.has_value();
          }};
}

Key rule_key(std::string_view key, Axis axis) {
  return {key, [] { return names_of(rules); },
          [axis](Scope& scope, std::string_view text) {
            auto& place = scope.rules[static_cast<std::size_t>(axis)];
            place = value_named(rules, text);
            return place.has_value();
          }};
}

Key algorithm_key(std::string_view key, Collective collective) {
  return {key,
          [collective] {
            std::string text;
            for (const Algorithm entry : algorithms_of(collective)) {
              text += fmt::format("{}{}", text.empty() ? "" : ", ", name(entry));
            }
            return text;
          },
          [collective](Scope& scope, std::string_view text) {
            auto& place = scope.algorithms[static_cast<std::size_t>(collective)];
            for (const Algorithm entry : algorithms_of(collective)) {
              if (name(entry) == text) place = entry;
            }
            return place.has_value();
          }};
}

/// The case grammar's own reading of a mesh, so that there is one.
bool set_mesh(Scope& scope, std::string_view text) {
  const auto subject =
      parse_product(fmt::format("matmul mesh={} i=0 j=0 k=0 A[i,k] B[k,j] -> C[i,j]", text));
  if (!subject) return false;
  scope.mesh = subject->mesh;
  return true;
}

bool set_ranks(Scope& scope, std::string_view text) {
  scope.ranks = number(text, 1, limits::ranks);
  return scope.ranks.has_value();
}

/// Which mesh axes a plan may name is known only once a mesh is drawn, so that here it is read over
/// the largest mesh that is ever drawn.
bool set_plan(Scope& scope, std::string_view text) {
  const Mesh widest{{{"x", 2}, {"y", 2}, {"z", 2}}};
  const Mesh narrowest{{{"x", 2}}};
  const Mesh& mesh = scope.mesh ? *scope.mesh : widest;
  if (text != "auto" && !parse_plan(mesh, text) && !parse_plan(narrowest, text)) return false;
  scope.plan = std::string(text);
  return true;
}

const std::vector<Key>& keys() {
  static const std::vector<Key> table{
      dtype_key("in", &Scope::in),
      dtype_key("acc", &Scope::acc),
      dtype_key("wire", &Scope::wire),
      dtype_key("out", &Scope::out),
      {"mesh", [] { return std::string("a mesh such as x4 or x2,y3"); }, set_mesh},
      {"ranks", [] { return fmt::format("1 to {}", limits::ranks); }, set_ranks},
      extent_key(Axis::i),
      extent_key(Axis::j),
      extent_key(Axis::k),
      rule_key("split.i", Axis::i),
      rule_key("split.j", Axis::j),
      rule_key("split.k", Axis::k),
      algorithm_key("algorithm.all_reduce", Collective::all_reduce),
      algorithm_key("algorithm.reduce_scatter", Collective::reduce_scatter),
      algorithm_key("algorithm.all_gather", Collective::all_gather),
      {"plan", [] { return std::string("auto, or steps such as local+reduce_scatter"); }, set_plan},
      named_key("order", &Scope::order, orders),
      named_key("kernel", &Scope::kernel, kernels),
      named_key("fma", &Scope::fma, fmas),
      named_key("data", &Scope::regime, drawn_regimes),
      named_key("run", &Scope::run, runs),
  };
  return table;
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
  const auto nearest =
      std::min_element(keys().begin(), keys().end(), [meant](const Key& left, const Key& right) {
        return edits_between(meant, left.name) < edits_between(meant, right.name);
      });
  return fmt::format("no key '{}' to restrict; did you mean '{}'? Keys: {}", name, nearest->name,
                     names_of(keys()));
}

Problem contradiction(const Scope& scope) {
  const auto& combinations = legal_combinations();
  if (std::none_of(combinations.begin(), combinations.end(),
                   [&](const DtypeCombination& c) { return allows(scope, c); })) {
    return "no legal combination of in, acc, wire and out has these dtypes";
  }
  if (scope.mesh && scope.ranks && rank_count(*scope.mesh) != *scope.ranks) {
    return fmt::format("ranks={} contradicts a mesh of {}", *scope.ranks, rank_count(*scope.mesh));
  }
  return std::nullopt;
}

bool uses_rule(const Cut& cut, Split::Rule rule) {
  return cut.over.empty() || cut.split.rule == rule;
}

bool obeys_rules(const Scope& scope, const ProductCase& subject) {
  for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
    for (const Axis axis : axes_of(tensor)) {
      const auto& rule = scope.rules[static_cast<std::size_t>(axis)];
      if (rule && !uses_rule(cut_of(layout(subject, tensor), tensor, axis), *rule)) return false;
    }
  }
  return true;
}

bool obeys_plan(const Scope& scope, const ProductCase& subject) {
  if (!scope.plan) return true;
  if (*scope.plan == "auto") return !subject.plan;
  const auto plan = parse_plan(subject.mesh, *scope.plan);
  return plan && subject.plan && *plan == *subject.plan;
}

template <typename Value>
bool agrees(const std::optional<Value>& wanted, const Value& value) {
  return !wanted || *wanted == value;
}

}  // namespace

tl::expected<Scope, std::string> scope_of(const Restrictions& restrictions) {
  Scope scope;
  for (const auto& [name, value] : restrictions.only) {
    const std::string_view wanted = name;
    const auto key = std::find_if(keys().begin(), keys().end(),
                                  [wanted](const Key& entry) { return entry.name == wanted; });
    if (key == keys().end()) return tl::unexpected<std::string>(unknown_key(name));
    if (!key->set(scope, value)) {
      return tl::unexpected<std::string>(
          fmt::format("'{}' is no value of '{}'; there are: {}", value, name, key->values()));
    }
  }
  if (Problem problem = contradiction(scope)) return tl::unexpected<std::string>(*problem);
  return scope;
}

bool is_product_key(std::string_view name) {
  return std::any_of(keys().begin(), keys().end(),
                     [name](const Key& entry) { return entry.name == name; });
}

bool allows(const Scope& scope, const DtypeCombination& combination) {
  return agrees(scope.in, combination.in) && agrees(scope.acc, combination.acc) &&
         agrees(scope.wire, combination.wire) && agrees(scope.out, combination.out);
}

bool allows(const Scope& scope, const ProductCase& subject) {
  for (const Axis axis : {Axis::i, Axis::j, Axis::k}) {
    if (!agrees(scope.extents[static_cast<std::size_t>(axis)], extent(subject, axis))) return false;
  }
  for (std::size_t index = 0; index < scope.algorithms.size(); ++index) {
    if (!agrees(scope.algorithms[index], subject.algorithms[index])) return false;
  }
  return allows(scope, subject.dtypes) && agrees(scope.mesh, subject.mesh) &&
         agrees(scope.ranks, rank_count(subject.mesh)) && agrees(scope.order, subject.order) &&
         agrees(scope.kernel, subject.kernel) && agrees(scope.fma, subject.fma) &&
         agrees(scope.regime, subject.data.regime) && agrees(scope.run, subject.run.kind) &&
         obeys_rules(scope, subject) && obeys_plan(scope, subject);
}

}  // namespace shardcheck
