#pragma once

/// A case line taken apart into its keys and layouts, before any of it has a meaning.
///
///     matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j]
///            key=value ...       layouts

#include <array>
#include <cstdint>
#include <string_view>

#include "keys.h"
#include "word.h"

namespace shardcheck {

struct Field {
  bool is_given = false;
  Word value;  ///< after the `=`; empty at the end of the line if not given
};

struct Fields {
  std::array<Field, keys.size()> by_key;
  std::array<Field, 3> layouts;  ///< by Tensor: "A[i,k/x]"
  Word end;                      ///< the empty word behind the last byte of the line

  const Field& operator[](Key key) const { return by_key[static_cast<std::size_t>(key)]; }
  const Field& operator[](Tensor tensor) const { return layouts[static_cast<std::size_t>(tensor)]; }
};

/// Every word of `rest`, the line after its first word `matmul`, known and given at most once.
tl::expected<Fields, ParseError> parse_fields(Word rest);

/// The value of a key, or the layout of a tensor, that must be given.
tl::expected<Word, ParseError> required(const Fields& fields, Key key);
tl::expected<Word, ParseError> required(const Fields& fields, Tensor tensor);

/// The position of a value in a table of names; -1: it stands for none.
template <typename Table>
int position_of(const Table& names, std::string_view text) {
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (names[at] == text) return static_cast<int>(at);
  }
  return -1;
}

}  // namespace shardcheck
