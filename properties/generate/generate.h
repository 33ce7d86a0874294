#pragma once

/// Random valid cases from an entropy source.

#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/product_case.h>

#include "entropy.h"

namespace shardcheck {

/// What a run is held to: `--only key=value`, e.g. {"in", "bf16"}, {"mesh", "x4"}, {"k", "7"},
/// {"algorithm.reduce_scatter", "direct"}, {"data", "probe"}, {"run", "threads"}.
struct Restrictions {
  std::vector<std::pair<std::string, std::string>> only;
};

/// Nothing, or what is wrong with the first bad entry, in one line.
tl::expected<void, std::string> validate(const Restrictions& restrictions);

/// A valid case with a legal plan, drawn so that small and odd shapes are common. Requires: valid
/// restrictions. The same entropy gives the same case on every machine.
ProductCase generate(Entropy& entropy, const Restrictions& restrictions = {});

}  // namespace shardcheck
