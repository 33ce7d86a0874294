#include "word.h"

#include <charconv>
#include <utility>

#include <fmt/core.h>

#include <shardcheck/model/case/contract.h>

namespace shardcheck {
namespace {

/// Long enough to recognise the place, short enough for one line.
constexpr std::size_t found_bytes_shown = 48;

std::string printable(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, found_bytes_shown)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      shown += c;
    } else {
      shown += fmt::format("\\x{:02x}", byte);
    }
  }
  if (text.size() > found_bytes_shown) shown += "...";
  return shown;
}

template <typename Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  // from_chars would take a sign.
  if (text.empty() || !is_digit(text.front())) return std::nullopt;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

Word part(Word word, std::size_t offset, std::size_t count) {
  SHARDCHECK_REQUIRE(offset <= word.text.size(), "a part lies within its word");
  return {word.text.substr(offset, count), word.column + offset};
}

ParseError unexpected(Word found, std::string expected) {
  return {found.column, printable(found.text), std::move(expected)};
}

tl::unexpected<ParseError> failure(Word found, std::string expected) {
  return tl::unexpected<ParseError>(unexpected(found, std::move(expected)));
}

tl::expected<std::int64_t, ParseError> parse_count(Word word, std::int64_t max) {
  const std::optional<std::int64_t> value = number<std::int64_t>(word.text);
  if (!value || *value > max) return failure(word, fmt::format("a number from 0 to {}", max));
  return *value;
}

tl::expected<std::uint64_t, ParseError> parse_seed(Word word) {
  const std::optional<std::uint64_t> value = number<std::uint64_t>(word.text);
  if (!value) return failure(word, "a seed, from 0 to 18446744073709551615");
  return *value;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

bool Pieces::next(Word& piece) {
  if (is_finished_) return false;
  const std::size_t at = rest_.text.find(separator_);
  piece = part(rest_, 0, at);
  is_finished_ = at == std::string_view::npos;
  if (!is_finished_) rest_ = part(rest_, at + 1);
  return true;
}

bool Cursor::eat(char c) {
  if (is_at_end() || rest_.text.front() != c) return false;
  rest_ = part(rest_, 1);
  return true;
}

Word Cursor::eat_name() {
  std::size_t count = 0;
  while (count < rest_.text.size() && is_letter_or_digit(rest_.text[count])) ++count;
  const Word name = part(rest_, 0, count);
  rest_ = part(rest_, count);
  return name;
}

}  // namespace shardcheck
