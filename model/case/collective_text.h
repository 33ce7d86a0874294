#pragma once

/// The text form of a case of collectives (docs/collectives.md, "Text"), with the same kind of
/// error as that of a product (text.h).
///
/// parse_collective(print(c)) == c for every valid case, and print(*parse_collective(line)) is
/// canonical: keys in a fixed order, defaults left out.

#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "collective_case.h"
#include "text.h"

namespace shardcheck {

/// One line, no newline at its end. Checks everything that needs no arithmetic on the layouts:
/// keys, names, numbers, calls that don't follow each other, limits. Never throws.
tl::expected<CollectiveCase, ParseError> parse_collective(std::string_view line);

std::string print(const CollectiveCase& subject);

/// Whether the line's first word names collectives, well or badly spelled: parse_collective() is
/// the one to read it.
bool is_collective(std::string_view line);

}  // namespace shardcheck
