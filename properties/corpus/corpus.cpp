#include "corpus.h"

#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/mesh.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck {

namespace {

using Failure = std::optional<CorpusError>;

/// A word of a line, and where it stood.
struct Word {
  std::string_view text;
  std::size_t column = 1;
};

std::vector<Word> words(std::string_view line) {
  std::vector<Word> result;
  std::size_t at = 0;
  while (true) {
    at = line.find_first_not_of(' ', at);
    if (at == std::string_view::npos) return result;
    const std::size_t end = std::min(line.find(' ', at), line.size());
    result.push_back({line.substr(at, end - at), at + 1});
    at = end;
  }
}

CorpusError unexpected(const Word& word, std::string expected) {
  // A binary file may hold anything: a message shows a little of it, printable.
  std::string found(word.text.substr(0, 40));
  for (char& letter : found) {
    if (letter < ' ' || letter > '~') letter = '?';
  }
  return {"", 0, word.column, found.empty() ? "the end of the line" : "'" + found + "'",
          std::move(expected)};
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value < 0) return std::nullopt;
  return value;
}

const Mesh& mesh_of(const CorpusFile& file) { return setting(file.subject).mesh; }

Dtype out_of(const CorpusFile& file) { return setting(file.subject).dtypes.out; }

/// `name`: "C@RANK" or "result@RANK".
Failure add_output(CorpusFile& file, const Word& name, const std::vector<Word>& values) {
  const std::string_view before = output_name(file);
  const auto rank = number(name.text.substr(before.size()));
  if (!rank || *rank >= rank_count(mesh_of(file))) {
    return unexpected(name, fmt::format("{} and a rank", before));
  }
  for (const KnownOutput& other : file.outputs) {
    if (other.rank == *rank) return unexpected(name, "each rank once");
  }
  KnownOutput output{*rank, {}};
  for (const Word& value : values) {
    const auto bits = parse_value(out_of(file), value.text);
    if (!bits) {
      return unexpected(value, fmt::format("a value exact in {}", info(out_of(file)).name));
    }
    output.elements.push_back(*bits);
  }
  file.outputs.push_back(std::move(output));
  return std::nullopt;
}

Failure add_bytes(CorpusFile& file, const Word& name, const std::vector<Word>& values) {
  if (!file.bytes_sent.empty()) return unexpected(name, "sent once");
  for (const Word& value : values) {
    const auto bytes = number(value.text);
    if (!bytes) return unexpected(value, "a number of bytes");
    file.bytes_sent.push_back(*bytes);
  }
  const std::int64_t ranks = rank_count(mesh_of(file));
  if (static_cast<std::int64_t>(values.size()) != ranks) {
    return unexpected(name, fmt::format("{} numbers, one a rank", ranks));
  }
  return std::nullopt;
}

std::string joined(const std::vector<Word>& values) {
  std::string text;
  for (const Word& value : values) {
    text += text.empty() ? "" : " ";
    text += value.text;
  }
  return text;
}

Failure add_plan(CorpusFile& file, const Word& value) {
  const auto plan = parse_plan(mesh_of(file), value.text);
  if (!plan) {
    return CorpusError{"", 0, value.column + plan.error().column - 1, plan.error().found,
                       plan.error().expected};
  }
  file.plan = print(mesh_of(file), *plan);
  return std::nullopt;
}

/// A line that begins with `=`.
Failure add_known(CorpusFile& file, std::string_view line) {
  std::vector<Word> all = words(line);
  const bool is_product = kind_of(file.subject) == Kind::product;
  const std::string form = is_product ? "= and C@RANK, sent, plan, verdict or plan-only"
                                      : "= and result@RANK, sent or verdict";
  if (all.front().text != "=" || all.size() < 2) return unexpected(all.front(), form);
  const Word name = all[1];
  const std::vector<Word> values(all.begin() + 2, all.end());
  if (name.text.starts_with(output_name(file))) return add_output(file, name, values);
  if (name.text == "sent") return add_bytes(file, name, values);
  if (is_product && name.text == "plan-only" && values.empty()) {
    file.is_plan_only = true;
    return std::nullopt;
  }
  if (is_product && name.text == "plan" && values.size() == 1) return add_plan(file, values[0]);
  if (name.text == "verdict" && !values.empty()) {
    file.verdict = joined(values);
    return std::nullopt;
  }
  return unexpected(name, form);
}

Failure add_case(CorpusFile& file, std::string_view line) {
  const auto subject = parse(line);
  if (!subject) {
    return CorpusError{"", 0, subject.error().column, subject.error().found,
                       subject.error().expected};
  }
  file.line = line;
  file.subject = *subject;
  return std::nullopt;
}

Failure add_line(CorpusFile& file, std::string_view line) {
  if (line.empty() || line.front() == '#') return std::nullopt;
  const bool has_case = !file.line.empty();
  if (line.front() == '=' && has_case) return add_known(file, line);
  if (line.front() == '=') return unexpected({line, 1}, "a case before the first = line");
  if (has_case) return unexpected({line, 1}, "one case a file, then = lines and comments");
  return add_case(file, line);
}

}  // namespace

std::string_view output_name(const CorpusFile& file) {
  return kind_of(file.subject) == Kind::product ? "C@" : "result@";
}

std::string print(const CorpusError& error) {
  return fmt::format("{}{}{}:{}: found {}, expected {}", error.file, error.file.empty() ? "" : ":",
                     error.line, error.column, error.found, error.expected);
}

tl::expected<CorpusFile, CorpusError> parse_corpus_file(std::string_view text) {
  CorpusFile file;
  std::size_t number_of_line = 0;
  while (!text.empty()) {
    ++number_of_line;
    const std::size_t end = std::min(text.find('\n'), text.size());
    Failure failure = add_line(file, text.substr(0, end));
    if (failure) {
      failure->line = number_of_line;
      return tl::unexpected<CorpusError>(*std::move(failure));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (file.line.empty()) {
    return tl::unexpected<CorpusError>(
        {"", number_of_line + 1, 1, "the end of the file", "a case"});
  }
  return file;
}

tl::expected<CorpusFile, CorpusError> read_corpus_file(const std::string& path) {
  const auto unreadable = [&](std::string why) {
    return tl::unexpected<CorpusError>({path, 1, 1, std::move(why), "a file that can be read"});
  };
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) return unreadable("a file that doesn't open");
  const auto bytes = static_cast<std::int64_t>(stream.tellg());
  if (bytes < 0 || bytes > limits::line_bytes) return unreadable("a folder or too large a file");
  stream.seekg(0);
  std::ostringstream text;
  if (bytes > 0 && !(text << stream.rdbuf())) return unreadable("a file that can't be read");
  auto file = parse_corpus_file(text.str());
  if (!file) file.error().file = path;
  return file;
}

}  // namespace shardcheck
