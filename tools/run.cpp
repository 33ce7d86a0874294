#include <fmt/format.h>

#include "commands.h"
#include "run_cases.h"

namespace shardcheck::tools {

Exit run(const RunOptions& options) {
  if (const auto valid = validate(options.restrictions); !valid) {
    fmt::print(stderr, "shardcheck: {}\n", valid.error());
    return Exit::bad_input;
  }
  return run_cases(options, {});
}

}  // namespace shardcheck::tools
