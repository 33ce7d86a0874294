#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/small_cases.h>

#include "commands.h"
#include "run_cases.h"

namespace shardcheck::tools {

Exit enumerate(EnumerateOptions options) {
  if (const auto valid = validate(options.space); !valid) {
    fmt::print(stderr, "shardcheck: {}\n", valid.error());
    return Exit::bad_input;
  }
  const std::int64_t count = count_of(options.space);
  fmt::print("{} cases of up to {} ranks and sizes up to {}\n", count, options.space.ranks,
             options.space.size);
  std::fflush(stdout);
  if (options.count_only) return Exit::passed;
  options.run.cases = count;
  options.run.is_enumeration = true;
  SmallCases cases(options.space);
  return run_cases(options.run, [&] {
    const std::optional<Case> subject = cases.next();
    SHARDCHECK_REQUIRE(subject.has_value(), "there are as many cases as were counted");
    return print(*subject);
  });
}

}  // namespace shardcheck::tools
