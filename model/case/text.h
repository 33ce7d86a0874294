#pragma once

/// The text form of a case: parse, print, and the one kind of error there is.
///
/// parse(print(c)) == c for every valid case, and print(*parse(line)) is canonical: keys in a fixed
/// order, defaults left out. docs/case-format.md is the grammar.

#include <cstddef>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "case.h"

namespace shardcheck {

struct ParseError {
  std::size_t column = 1;  ///< of the line, from 1, in bytes
  std::string found;       ///< what stood there
  std::string expected;    ///< what was expected instead

  bool operator==(const ParseError&) const = default;
};

/// One line, no newline at its end, of the kind that its first word names. Checks everything that
/// needs no arithmetic on the layouts: keys, names, numbers, sets that overlap or leave a hole,
/// calls that don't follow each other, legal dtypes, limits. Never throws.
tl::expected<Case, ParseError> parse(std::string_view line);

/// Likewise a line that must be of one kind.
tl::expected<ProductCase, ParseError> parse_product(std::string_view line);
tl::expected<CallsCase, ParseError> parse_calls(std::string_view line);

/// Whether the line's first word names collectives, well or badly spelled: parse_calls() is the one
/// to read it.
bool names_calls(std::string_view line);

std::string print(const ProductCase& subject);
std::string print(const CallsCase& subject);
std::string print(const Case& subject);

/// "column 12: found 'kk=3', expected ..."; one line, no newline.
std::string print(const ParseError& error);

/// "A[i,k/x]", as in a case line.
std::string print(const ProductCase& subject, Tensor tensor);

/// "local+reduce_scatter:C/x", canonical; "" for no step.
std::string print(const Mesh& mesh, const Plan& plan);

/// A plan alone, as after `plan=`; columns count from the start of `text`. `reduce_scatter`,
/// `all_reduce`, `all_gather` and `gather` without a tensor mean C and, where the mesh has one axis
/// only, that axis.
tl::expected<Plan, ParseError> parse_plan(const Mesh& mesh, std::string_view text);

/// One value: the shortest exact decimal, or a hex float where that is long; "nan", "inf", "-0".
std::string print_value(Dtype dtype, Bits bits);

/// A value as written after `A=`. Nothing if it isn't a number or isn't exact in `dtype`.
std::optional<Bits> parse_value(Dtype dtype, std::string_view text);

}  // namespace shardcheck
