#pragma once

/// A line of collectives taken apart into its keys, before any of it has a meaning.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <shardcheck/model/case/calls_case.h>
#include "keys.h"
#include "word.h"

namespace shardcheck {

enum class CollectiveKey : std::uint8_t {
  mesh,
  over,
  n,
  split_n,
  counts,
  to,
  op,
  root,
  in_place,
  in,
  acc,
  algorithm,
  order,
  data,
  x,
  run
};

struct CollectiveKeyInfo {
  CollectiveKey key = CollectiveKey::mesh;
  std::string_view name;
  std::string_view value;  ///< the form of the value, for errors
};

/// In the order of the enumerators, which is that of the canonical text.
inline constexpr std::array<CollectiveKeyInfo, 16> collective_keys{{
    {CollectiveKey::mesh, "mesh", "axes with their sizes, as x2,y3"},
    {CollectiveKey::over, "over", "mesh axes, as x or x/y"},
    {CollectiveKey::n, "n", "the elements of a whole vector"},
    {CollectiveKey::split_n, "split.n", split_form},
    {CollectiveKey::counts, "counts", "a row a member, as 1,0|2,1"},
    {CollectiveKey::to, "to", "by member, the member that it sends to, or -, as 1,2,-"},
    {CollectiveKey::op, "op", listed_names<operators>},
    {CollectiveKey::root, "root", "a member"},
    {CollectiveKey::in_place, "in_place", "yes or no"},
    {CollectiveKey::in, "in", dtype_form},
    {CollectiveKey::acc, "acc", dtype_form},
    {CollectiveKey::algorithm, "algorithm", "one a call, joined by +"},
    {CollectiveKey::order, "order", listed_names<orders>},
    {CollectiveKey::data, "data", "a regime and a seed, as ints:0, or given"},
    {CollectiveKey::x, "X", "each rank's input, as 1,-2.5|0x1p-10,nan"},
    {CollectiveKey::run, "run", listed_forms<run_kinds>},
}};

constexpr const CollectiveKeyInfo& info(CollectiveKey key) {
  return collective_keys[static_cast<std::size_t>(key)];
}

bool is_calls_key(std::string_view name);

struct CollectiveFields {
  struct Field {
    bool is_given = false;
    Word value;  ///< after the `=`; empty at the end of the line if not given
  };

  std::array<Field, collective_keys.size()> by_key;
  Word end;  ///< the empty word behind the last byte of the line

  const Field& operator[](CollectiveKey key) const { return by_key[static_cast<std::size_t>(key)]; }
};

/// Every word of the line but the first, known and given at most once.
tl::expected<CollectiveFields, ParseError> parse_collective_fields(Word line);

}  // namespace shardcheck
