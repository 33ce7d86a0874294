#include "algorithm_text.h"

#include <string>

#include <fmt/core.h>

namespace shardcheck {

tl::expected<Algorithm, ParseError> parse_algorithm(Collective collective, Word word) {
  std::string names;
  for (const Algorithm entry : algorithms_of(collective)) {
    if (name(entry) == word.text) return entry;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name(entry));
  }
  return tl::unexpected<ParseError>(
      unexpected(word, fmt::format("an algorithm of {}: {}", name(collective), names)));
}

}  // namespace shardcheck
