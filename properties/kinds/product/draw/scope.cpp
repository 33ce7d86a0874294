#include "scope.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

Key extent_key(Axis axis) {
  const auto place = [axis](ProductScope & scope) -> auto& {
    return scope.extents[static_cast<std::size_t>(axis)];
  };
  return number_key<ProductScope>(name(axis), place, 0, extent_asked_max);
}

Key rule_key(std::string_view key, Axis axis) {
  const auto place = [axis](ProductScope & scope) -> auto& {
    return scope.rules[static_cast<std::size_t>(axis)];
  };
  return named_key<ProductScope>(key, place, split_rules);
}

Key algorithm_key(std::string_view key, Collective collective) {
  const auto values = [collective] {
    std::string text;
    for (const Algorithm entry : algorithms_of(collective)) {
      text += fmt::format("{}{}", text.empty() ? "" : ", ", name(entry));
    }
    return text;
  };
  const auto read = [collective](std::string_view text) -> std::optional<Algorithm> {
    for (const Algorithm entry : algorithms_of(collective)) {
      if (name(entry) == text) return entry;
    }
    return std::nullopt;
  };
  const auto place = [collective](ProductScope & scope) -> auto& {
    return scope.algorithms[static_cast<std::size_t>(collective)];
  };
  return key_of<ProductScope>(key, values, place, read);
}

/// Which mesh axes a plan may name is known only once a mesh is drawn, so that here it is read over
/// the largest mesh that is ever drawn.
bool set_plan(SettingScope& setting, std::string_view text) {
  auto& scope = static_cast<ProductScope&>(setting);
  const Mesh widest{{{"x", 2}, {"y", 2}, {"z", 2}}};
  const Mesh narrowest{{{"x", 2}}};
  const Mesh& mesh = scope.mesh ? *scope.mesh : widest;
  if (text != "auto" && !parse_plan(mesh, text) && !parse_plan(narrowest, text)) return false;
  scope.plan = std::string(text);
  return true;
}

bool uses_rule(const Cut& cut, Split::Rule rule) {
  return cut.over.empty() || cut.split.rule == rule;
}

bool obeys_rules(const ProductScope& scope, const ProductCase& subject) {
  for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
    for (const Axis axis : axes_of(tensor)) {
      const auto& rule = scope.rules[static_cast<std::size_t>(axis)];
      if (rule && !uses_rule(cut_of(layout(subject, tensor), tensor, axis), *rule)) return false;
    }
  }
  return true;
}

bool obeys_plan(const ProductScope& scope, const ProductCase& subject) {
  if (!scope.plan) return true;
  if (*scope.plan == "auto") return !subject.plan;
  const auto plan = parse_plan(subject.mesh, *scope.plan);
  return plan && subject.plan && *plan == *subject.plan;
}

}  // namespace

const std::vector<Key>& product_keys() {
  static const std::vector<Key> table{
      named_key("wire", &ProductScope::wire, dtypes),
      named_key("out", &ProductScope::out, dtypes),
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
      named_key("kernel", &ProductScope::kernel, kernels),
      named_key("fma", &ProductScope::fma, fmas),
  };
  return table;
}

std::optional<std::string> contradiction(const ProductScope& scope) {
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

bool allows(const ProductScope& scope, const DtypeCombination& combination) {
  return agrees(scope.in, combination.in) && agrees(scope.acc, combination.acc) &&
         agrees(scope.wire, combination.wire) && agrees(scope.out, combination.out);
}

bool allows(const ProductScope& scope, const ProductCase& subject) {
  for (const Axis axis : {Axis::i, Axis::j, Axis::k}) {
    if (!agrees(scope.extents[static_cast<std::size_t>(axis)], extent(subject, axis))) return false;
  }
  for (std::size_t index = 0; index < scope.algorithms.size(); ++index) {
    if (!agrees(scope.algorithms[index], subject.algorithms[index])) return false;
  }
  return allows(scope, subject.dtypes) && agrees(scope.kernel, subject.kernel) &&
         agrees(scope.fma, subject.fma) && allows_setting(scope, subject) &&
         obeys_rules(scope, subject) && obeys_plan(scope, subject);
}

}  // namespace shardcheck
