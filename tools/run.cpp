#include <fmt/format.h>

#include <shardcheck/properties/generate/scope.h>

#include <shardcheck/tools/cases/backend_choice.h>
#include "commands.h"
#include "run_cases.h"

namespace shardcheck::tools {

Exit run(const RunOptions& asked) {
  RunOptions options = asked;
  if (const auto known = make_backend(asked.fault); !known) {
    fmt::print(stderr, "shardcheck: {}\n", known.error());
    return Exit::bad_input;
  }
  const auto restrictions = restricted_to(asked.fault, asked.restrictions);
  const auto valid =
      restrictions ? scopes_of(*restrictions) : tl::unexpected<std::string>(restrictions.error());
  if (!valid) {
    fmt::print(stderr, "shardcheck: {}\n", valid.error());
    return Exit::bad_input;
  }
  options.restrictions = *restrictions;
  return run_cases(options, {});
}

}  // namespace shardcheck::tools
