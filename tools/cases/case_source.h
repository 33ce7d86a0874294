#pragma once

/// Where a command finds the cases that it is given: a case line, a file, a folder of .case files,
/// or `-` for standard input.
///
/// A file holds one case; lines that begin with `#` are comments, lines that begin with `=` say
/// what is known about the case and are the replayer's affair, empty lines are nothing.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck::tools {

struct SourcedCase {
  std::string name;        ///< the file; empty for a case on the command line
  std::int64_t line = 1;   ///< of the case in it, from 1
  std::string text;        ///< the case line
  std::string known_file;  ///< all of the file, if it has `=` lines; else empty
};

/// What is in a folder, a file or a line.
struct Sources {
  std::vector<SourcedCase> cases;
  std::vector<std::string> unreadable;  ///< files of a folder: what is wrong with each, in one line
};

/// Every case that `what` names, files of a folder in the order of their names, or what is wrong in
/// one line. Reads no more than limits::line_bytes of a file.
tl::expected<Sources, std::string> read_cases(const std::string& what);

/// The one case that `what` names; nothing, and a line on standard error, if there are more or
/// fewer or it can't be read.
std::optional<Case> read_one_case(const std::string& what);

/// "failures/x.case:3: column 12: found …, expected …", in one printable line.
std::string describe(const SourcedCase& source, const ParseError& error);

/// Prints what is wrong with a case on standard error, and on a terminal points at the column.
void print_error(const SourcedCase& source, const ParseError& error);

/// Bytes that a terminal would not show become \xNN.
std::string printable(std::string_view text);

}  // namespace shardcheck::tools
