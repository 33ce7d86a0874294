#pragma once

/// The names of a table as one text, put together by the compiler, so that messages follow the
/// tables by themselves.
///
///     listed_names<orders>     // "declared or any"
///     listed_forms<run_kinds>  // "fibers:SEED, pct:DEPTH:SEED, trace:0,1,0 or threads"

#include <array>
#include <cstddef>
#include <string_view>

namespace shardcheck {

namespace names {

struct Name {
  constexpr std::string_view operator()(const auto& entry) const { return entry.name; }
};

struct Form {
  constexpr std::string_view operator()(const auto& entry) const { return entry.form; }
};

/// "a, b or c"
template <const auto& table, typename Text>
struct Listed {
  static constexpr std::string_view before(std::size_t at) {
    if (at == 0) return "";
    return at + 1 == table.size() ? " or " : ", ";
  }

  static constexpr std::size_t length = [] {
    std::size_t sum = 0;
    for (std::size_t at = 0; at < table.size(); ++at) {
      sum += before(at).size() + Text{}(table[at]).size();
    }
    return sum;
  }();

  static constexpr std::array<char, length> letters = [] {
    std::array<char, length> made{};
    std::size_t end = 0;
    for (std::size_t at = 0; at < table.size(); ++at) {
      for (const std::string_view piece : {before(at), Text{}(table[at])}) {
        for (const char letter : piece) made[end++] = letter;
      }
    }
    return made;
  }();

  static constexpr std::string_view text{letters.data(), length};
};

}  // namespace names

template <const auto& table>
inline constexpr std::string_view listed_names = names::Listed<table, names::Name>::text;

template <const auto& table>
inline constexpr std::string_view listed_forms = names::Listed<table, names::Form>::text;

}  // namespace shardcheck
