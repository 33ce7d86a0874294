#include "case_source.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/limits.h>

namespace shardcheck::tools {
namespace {

constexpr std::size_t excerpt_columns_max = 200;

/// The bytes of a file, one more than the limit at most; or what is wrong.
tl::expected<std::string, std::string> read_bytes(std::FILE* file, const std::string& label) {
  constexpr std::size_t bytes_max = static_cast<std::size_t>(limits::line_bytes);
  const std::string too_long =
      fmt::format("{}: column 1: found more than {} bytes, expected a case", label, bytes_max);
  // A pipe doesn't know its length; a file does, and then needn't be read.
  struct stat about {};
  if (::fstat(::fileno(file), &about) == 0 && about.st_size > limits::line_bytes) {
    return tl::unexpected<std::string>(too_long);
  }
  std::string bytes;
  std::string block(std::size_t{1} << 16, '\0');
  while (bytes.size() <= bytes_max) {
    const std::size_t got = std::fread(block.data(), 1, block.size(), file);
    bytes.append(block, 0, got);
    if (got < block.size()) break;
  }
  if (std::ferror(file) != 0) {
    return tl::unexpected<std::string>(
        fmt::format("{}: can't be read: {}", label, std::strerror(errno)));
  }
  if (bytes.size() > bytes_max) return tl::unexpected<std::string>(too_long);
  return bytes;
}

/// The case among comments and known answers.
tl::expected<SourcedCase, std::string> case_in(const std::string& label, std::string_view text) {
  SourcedCase source{label, 0, "", ""};
  std::string_view bytes = text;
  std::int64_t line_number = 0;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    line_number += 1;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '=') {
      source.known_file = text;
      continue;
    }
    if (source.line != 0) {
      return tl::unexpected<std::string>(
          fmt::format("{}:{}: column 1: found a second line of text, expected one case a file",
                      label, line_number));
    }
    source.line = line_number;
    source.text = line;
  }
  if (source.line == 0) {
    return tl::unexpected<std::string>(
        fmt::format("{}:{}: column 1: found no case, expected one line that begins with 'matmul' "
                    "or a collective such as 'all_reduce'",
                    label, line_number + 1));
  }
  return source;
}

tl::expected<SourcedCase, std::string> read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) {
    return tl::unexpected<std::string>(
        fmt::format("{}: can't be opened: {}", path, std::strerror(errno)));
  }
  const auto bytes = read_bytes(file.get(), path);
  if (!bytes) return tl::unexpected<std::string>(bytes.error());
  return case_in(path, *bytes);
}

tl::expected<Sources, std::string> read_folder(const std::string& path) {
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator entry(path, error), end;
       !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".case") files.push_back(entry->path().string());
  }
  if (error) {
    return tl::unexpected<std::string>(fmt::format("{}: can't be read: {}", path, error.message()));
  }
  if (files.empty()) return tl::unexpected<std::string>(fmt::format("{}: no .case file", path));
  std::sort(files.begin(), files.end());
  Sources sources;
  for (const std::string& file : files) {
    auto source = read_file(file);
    if (source) {
      sources.cases.push_back(std::move(*source));
    } else {
      sources.unreadable.push_back(std::move(source.error()));
    }
  }
  return sources;
}

}  // namespace

tl::expected<Sources, std::string> read_cases(const std::string& what) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(what, error);
  tl::expected<SourcedCase, std::string> source;
  if (what == "-") {
    const auto bytes = read_bytes(stdin, "standard input");
    if (!bytes) return tl::unexpected<std::string>(bytes.error());
    source = case_in("standard input", *bytes);
  } else if (std::filesystem::is_directory(status)) {
    return read_folder(what);
  } else if (std::filesystem::exists(status)) {
    source = read_file(what);
  } else if (what.ends_with(".case")) {
    return tl::unexpected<std::string>(fmt::format("{}: no such file", what));
  } else {
    source = SourcedCase{"", 1, what, ""};
  }
  if (!source) return tl::unexpected<std::string>(source.error());
  return Sources{{std::move(*source)}, {}};
}

std::optional<Case> read_one_case(const std::string& what) {
  const auto sources = read_cases(what);
  if (!sources) {
    fmt::print(stderr, "shardcheck: {}\n", printable(sources.error()));
    return std::nullopt;
  }
  const std::size_t count = sources->cases.size() + sources->unreadable.size();
  if (count != 1) {
    fmt::print(stderr, "shardcheck: {}: found {} cases, expected one\n", printable(what), count);
    return std::nullopt;
  }
  if (!sources->unreadable.empty()) {
    fmt::print(stderr, "shardcheck: {}\n", printable(sources->unreadable.front()));
    return std::nullopt;
  }
  auto subject = parse(sources->cases.front().text);
  if (subject) return std::move(*subject);
  print_error(sources->cases.front(), subject.error());
  return std::nullopt;
}

std::string describe(const SourcedCase& source, const ParseError& error) {
  const std::string where =
      source.name.empty() ? "" : fmt::format("{}:{}: ", source.name, source.line);
  // One word may have been meant as a path.
  const bool may_be_path = source.name.empty() && error.column == 1 && !source.text.empty() &&
                           source.text.find(' ') == std::string::npos;
  return printable(where + print(error) + (may_be_path ? "; nor is there such a file" : ""));
}

void print_error(const SourcedCase& source, const ParseError& error) {
  fmt::print(stderr, "shardcheck: {}\n", describe(source, error));
  const bool is_plain = printable(source.text) == source.text;
  if (::isatty(STDERR_FILENO) != 1 || !is_plain || source.text.size() > excerpt_columns_max) return;
  fmt::print(stderr, "  {}\n  {:>{}}\n", source.text, "^", error.column);
}

std::string printable(std::string_view text) {
  std::string out;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\x{:02x}", code);
    } else {
      out += byte;
    }
  }
  return out;
}

}  // namespace shardcheck::tools
