#include "key.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

/// `given` values are written by people and by the minimiser.
std::vector<RegimeInfo> drawn_regimes() {
  std::vector<RegimeInfo> drawn(regimes.begin(), regimes.end());
  std::erase_if(drawn, [](const RegimeInfo& entry) { return entry.regime == Data::Regime::given; });
  return drawn;
}

std::vector<RunInfo> drawn_runs() {
  std::vector<RunInfo> drawn(run_kinds.begin(), run_kinds.end());
  std::erase_if(drawn, [](const RunInfo& entry) { return !entry.is_drawn; });
  return drawn;
}

/// The case grammar's own reading of a mesh, so that there is one.
std::optional<Mesh> mesh_in(std::string_view text) {
  const auto subject = parse_calls(fmt::format("all_reduce mesh={} n=0", text));
  if (!subject) return std::nullopt;
  return subject->mesh;
}

Key mesh_key() {
  return key_of<SettingScope>(
      "mesh", [] { return std::string("a mesh such as x4 or x2,y3"); },
      [](SettingScope & scope) -> auto& { return scope.mesh; }, mesh_in);
}

Key regime_key() {
  return key_of<SettingScope>(
      "data", [] { return names_of(drawn_regimes()); },
      [](SettingScope & scope) -> auto& { return scope.regime; },
      [](std::string_view text) -> std::optional<Data::Regime> {
        for (const RegimeInfo& entry : drawn_regimes()) {
          if (entry.name == text) return entry.regime;
        }
        return std::nullopt;
      });
}

Key run_key() {
  return key_of<SettingScope>(
      "run", [] { return names_of(drawn_runs()); },
      [](SettingScope & scope) -> auto& { return scope.run; },
      [](std::string_view text) -> std::optional<Run::Kind> {
        for (const RunInfo& entry : drawn_runs()) {
          if (entry.name == text) return entry.kind;
        }
        return std::nullopt;
      });
}

}  // namespace

const std::vector<Key>& setting_keys() {
  static const std::vector<Key> table{
      named_key("in", &SettingScope::in, dtypes),
      named_key("acc", &SettingScope::acc, dtypes),
      mesh_key(),
      number_key<SettingScope>(
          "ranks", [](SettingScope & scope) -> auto& { return scope.ranks; }, 1, limits::ranks),
      named_key("order", &SettingScope::order, orders),
      regime_key(),
      run_key(),
  };
  return table;
}

std::optional<std::int64_t> number_within(std::string_view text, std::int64_t low,
                                          std::int64_t high) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (value < low || value > high) return std::nullopt;
  return value;
}

bool allows_setting(const SettingScope& scope, const Setting& setting) {
  return agrees(scope.in, setting.dtypes.in) && agrees(scope.acc, setting.dtypes.acc) &&
         agrees(scope.mesh, setting.mesh) && agrees(scope.ranks, rank_count(setting.mesh)) &&
         agrees(scope.order, setting.order) && agrees(scope.regime, setting.data.regime) &&
         agrees(scope.run, setting.run.kind);
}

}  // namespace shardcheck
