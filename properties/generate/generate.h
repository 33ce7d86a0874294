#pragma once

/// What a run is held to.

#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace shardcheck {

/// `--only key=value`, e.g. {"in", "bf16"}, {"mesh", "x4"}, {"k", "7"},
/// {"algorithm.reduce_scatter", "direct"}, {"data", "probe"}, {"run", "threads"}.
struct Restrictions {
  std::vector<std::pair<std::string, std::string>> only;
};

/// Nothing, or what is wrong with the first bad entry, in one line.
tl::expected<void, std::string> validate(const Restrictions& restrictions);

}  // namespace shardcheck
