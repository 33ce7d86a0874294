#include <unistd.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/small_cases.h>
#include <shardcheck/properties/judge/number_text.h>

#include <shardcheck/tools/cases/backend_choice.h>
#include <shardcheck/tools/process/interruption.h>
#include "commands.h"
#include "run_cases.h"

namespace shardcheck::tools {
namespace {

/// As the options that ask for it.
std::string in_words(const SmallSpace& space) {
  std::string text = fmt::format("--ranks {} --sizes {} --axes {} --steps {}", space.ranks,
                                 space.size, space.axes, space.steps);
  for (const Split::Rule rule : space.rules) text += fmt::format(" --split {}", name(rule));
  if (!space.words.empty()) text += fmt::format(" --with '{}'", space.words);
  return text;
}

}  // namespace

Exit enumerate(EnumerateOptions options) {
  if (const auto valid = validate(options.space); !valid) {
    fmt::print(stderr, "shardcheck: {}\n", valid.error());
    return Exit::bad_input;
  }
  end_when_interrupted("shardcheck: interrupted while the cases were counted: none ran\n");
  const bool is_terminal = ::isatty(STDERR_FILENO) == 1;
  if (is_terminal) fmt::print(stderr, "counting …");
  const std::int64_t count = count_of(options.space);
  if (is_terminal) fmt::print(stderr, "\r\033[K");
  fmt::print("{} of up to {} and sizes up to {}\n", counted(count, "case"),
             counted(options.space.ranks, "rank"), options.space.size);
  std::fflush(stdout);
  if (options.count_only) return Exit::passed;
  const auto products = restricted_to(options.run.fault, {{{"kind", "matmul"}}});
  if (!products) {
    fmt::print(stderr, "shardcheck: {}\n", products.error());
    return Exit::bad_input;
  }
  options.run.restrictions = *products;
  options.run.cases = count;
  options.run.enumerated = in_words(options.space);
  SmallCases cases(options.space);
  return run_cases(options.run, [&] {
    const std::optional<ProductCase> subject = cases.next();
    SHARDCHECK_REQUIRE(subject.has_value(), "there are as many cases as were counted");
    return print(*subject);
  });
}

}  // namespace shardcheck::tools
