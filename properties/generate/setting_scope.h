#pragma once

/// What the setting of a drawn case is held to, whatever its kind.

#include <cstdint>
#include <optional>

#include <shardcheck/model/case/setting.h>

namespace shardcheck {

/// Nothing: free.
struct SettingScope {
  std::optional<Dtype> in;
  std::optional<Dtype> acc;
  std::optional<Mesh> mesh;
  std::optional<std::int64_t> ranks;
  std::optional<Order> order;
  std::optional<Data::Regime> regime;
  std::optional<Run::Kind> run;
};

/// True if the setting is one that the scope asks for.
bool allows_setting(const SettingScope& scope, const Setting& setting);

}  // namespace shardcheck
