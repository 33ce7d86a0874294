#pragma once

/// A stretch of a case line that remembers its column, and the errors that point at it.
///
///     parse_count({"-3", 12}, 100)  ->  column 12: found '-3', expected a number from 0 to 100

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include <shardcheck/model/case/text.h>

namespace shardcheck {

/// A view into the line: it lives as long as the line.
struct Word {
  std::string_view text;
  std::size_t column = 1;  ///< of the first byte, from 1
};

/// Nothing: all is well.
using Failure = std::optional<ParseError>;

/// The bytes of `word` from `offset`, at most `count`. Requires: offset <= size.
Word part(Word word, std::size_t offset, std::size_t count = std::string_view::npos);

/// What stood there is cut short and made printable, so that any line gives one line of error.
ParseError unexpected(Word found, std::string expected);

/// Likewise, spelled as a function's result.
tl::unexpected<ParseError> failure(Word found, std::string expected);

/// Decimal digits alone, from 0 to `max`.
tl::expected<std::int64_t, ParseError> parse_count(Word word, std::int64_t max);

/// Decimal digits alone, 64 bits.
tl::expected<std::uint64_t, ParseError> parse_seed(Word word);

bool is_letter(char c);
bool is_digit(char c);
bool is_letter_or_digit(char c);

/// Walks over the pieces between separators: "a,,b" has three, "" has one, which is empty.
class Pieces {
 public:
  Pieces(Word word, char separator) : rest_(word), separator_(separator) {}

  /// False when there is no further piece.
  bool next(Word& piece);

 private:
  Word rest_;
  char separator_;
  bool is_finished_ = false;
};

/// Eats a word from its front.
class Cursor {
 public:
  explicit Cursor(Word word) : rest_(word) {}

  bool is_at_end() const { return rest_.text.empty(); }
  Word rest() const { return rest_; }

  /// True if `c` stood at the front; it is eaten.
  bool eat(char c);

  /// The longest front of letters and digits; may be empty.
  Word eat_name();

 private:
  Word rest_;
};

}  // namespace shardcheck
