#pragma once

/// Either kind of case, for those who handle lines of any kind: the command, the corpus, fuzzers.

#include <string>
#include <string_view>
#include <variant>

#include <tl/expected.hpp>

#include "case.h"
#include "collective_case.h"
#include "collective_text.h"
#include "text.h"

namespace shardcheck {

using AnyCase = std::variant<Case, CollectiveCase>;

/// By the line's first word.
inline tl::expected<AnyCase, ParseError> parse_any(std::string_view line) {
  if (is_collective(line)) return parse_collective(line);
  return parse(line);
}

inline std::string print(const AnyCase& subject) {
  return std::visit([](const auto& one) { return print(one); }, subject);
}

}  // namespace shardcheck
