// Raw bytes into everything that parses: cases, plans, a corpus file. Whatever they are, nothing
// crashes; an error says where and what; and what was understood is the same once printed and read.

#include <algorithm>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/corpus/corpus.h>

#include "target.h"

namespace shardcheck::fuzz {
namespace {

Outcome failed(const std::string& what, std::string_view input) {
  return {Outcome::Kind::failed, what + "\n  input: " + std::string(input)};
}

/// Nothing if the error is one that a person can use.
std::optional<Outcome> error_fault(const ParseError& error, std::string_view input) {
  if (error.column < 1 || error.column > input.size() + 1) {
    return failed("an error outside the line: " + print(error), input);
  }
  if (error.expected.empty()) return failed("an error that expects nothing", input);
  if (print(error).find('\n') != std::string::npos) {
    return failed("an error of several lines: " + print(error), input);
  }
  return std::nullopt;
}

Outcome run_line(std::string_view line) {
  const auto subject = parse(line);
  if (!subject) return error_fault(subject.error(), line).value_or(Outcome{});
  const std::string printed = print(*subject);
  const auto again = parse(printed);
  if (!again) return failed("printed as '" + printed + "': " + print(again.error()), line);
  if (!(*again == *subject)) return failed("another case once printed: " + printed, line);
  if (print(*again) != printed) return failed("printed in two ways: " + printed, line);
  return {};
}

Outcome run_plan(std::string_view text) {
  const Mesh mesh{{{"x", 2}, {"y", 3}}};
  const auto plan = parse_plan(mesh, text);
  if (!plan) return error_fault(plan.error(), text).value_or(Outcome{});
  const std::string printed = print(mesh, *plan);
  const auto again = parse_plan(mesh, printed);
  if (!again || *again != *plan) return failed("another plan once printed: " + printed, text);
  return {};
}

/// A corpus file is understood or refused by one line.
Outcome run_file(std::string_view text) {
  const auto file = parse_corpus_file(text);
  if (!file && print(file.error()).find('\n') != std::string::npos) {
    return failed("an error of several lines: " + print(file.error()), text);
  }
  return {};
}

}  // namespace

/// Every text is an input.
std::optional<std::string> why_unreadable(std::string_view) { return std::nullopt; }

Outcome run(std::string_view input) {
  // Each line by itself: in a corpus file the case comes after its comments.
  for (std::string_view left = input; !left.empty();) {
    const std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(line.size() + 1, left.size()));
    for (const Outcome& part : {run_line(line), run_plan(line)}) {
      if (part.kind != Outcome::Kind::passed) return part;
    }
  }
  return run_file(input);
}

}  // namespace shardcheck::fuzz
