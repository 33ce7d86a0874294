#pragma once

/// What drawn calls are held to, beside their setting.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/properties/generate/key.h>
#include <shardcheck/properties/generate/setting_scope.h>

#include "cells.h"

namespace shardcheck {

/// Nothing: free.
struct CallsScope : SettingScope {
  std::optional<Collective> collective;  ///< one of the calls
  std::optional<Algorithm> algorithm;    ///< of one of those calls
  std::optional<Operator> op;            ///< of a call that reduces
  std::optional<std::int64_t> n;
  std::optional<Split::Rule> rule;
  std::optional<BlockShape> shape;  ///< of one call alone; not for people to ask for
  std::optional<bool> in_place;
};

/// Those that calls alone have.
const std::vector<Key>& calls_keys();

/// True if the case is one that the scope asks for.
bool allows(const CallsScope& scope, const CallsCase& subject);

}  // namespace shardcheck
