#include <fmt/format.h>

#include <shardcheck/properties/generate/collective_scope.h>

#include "backend_choice.h"
#include "commands.h"
#include "run_cases.h"

namespace shardcheck::tools {

Exit run(const RunOptions& asked) {
  RunOptions options = asked;
  options.restrictions = with_kind_of(asked.fault, asked.restrictions);
  if (const auto valid = scopes_of(options.restrictions); !valid) {
    fmt::print(stderr, "shardcheck: {}\n", valid.error());
    return Exit::bad_input;
  }
  return run_cases(options, {});
}

}  // namespace shardcheck::tools
