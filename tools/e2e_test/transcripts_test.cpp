// What the pages say that `explain`, `plan` and `order` print is what they print today.

#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "command.h"

namespace shardcheck::tools {
namespace {

struct Transcript {
  std::vector<std::string> words;  ///< of the command, without the program
  std::vector<std::string> lines;  ///< what it printed; "…" stands for any lines left out
  std::size_t line = 0;            ///< of the page, from 1
};

constexpr std::string_view left_out = "…";
constexpr std::string_view indentation = "    ";

/// Words at spaces, single quotes kept together, as a shell does.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words(1);
  bool is_quoted = false;
  for (const char byte : command) {
    if (byte == '\'') {
      is_quoted = !is_quoted;
    } else if (byte == ' ' && !is_quoted) {
      words.emplace_back();
    } else {
      words.back() += byte;
    }
  }
  return words;
}

bool is_compared(const std::vector<std::string>& words) {
  return words.size() > 1 && words.front().ends_with("shardcheck") &&
         (words[1] == "explain" || words[1] == "plan" || words[1] == "order");
}

/// Of blocks that are fenced or indented, what begins with "$ shardcheck explain", "plan", "order".
std::vector<Transcript> transcripts_in(const std::string& page) {
  std::vector<Transcript> found;
  std::ifstream file(page);
  bool is_fenced = false;
  bool is_open = false;
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    number += 1;
    if (line.starts_with("```")) {
      is_fenced = !is_fenced;
      is_open = false;
      continue;
    }
    const bool is_indented = line.starts_with(indentation);
    if (!is_fenced && !is_indented && !line.empty()) is_open = false;
    if (!is_fenced && !is_indented && !line.empty()) continue;
    const std::string text = !is_fenced && is_indented ? line.substr(indentation.size()) : line;
    if (text.starts_with("$ ")) {
      std::vector<std::string> words = words_of(text.substr(2));
      is_open = is_compared(words);
      if (!is_open) continue;
      words.erase(words.begin());
      found.push_back({words, {}, number});
    } else if (is_open) {
      found.back().lines.push_back(text);
    }
  }
  for (Transcript& transcript : found) {
    while (!transcript.lines.empty() && transcript.lines.back().empty())
      transcript.lines.pop_back();
    // One blank line after the command is the page's.
    if (!transcript.lines.empty() && transcript.lines.front().empty()) {
      transcript.lines.erase(transcript.lines.begin());
    }
  }
  return found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char byte : text) {
    if (byte == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += byte;
    }
  }
  return lines;
}

/// The first line of the transcript that the output lacks where it ought to stand; nothing is
/// empty. The transcript may begin and end anywhere in the output.
std::string first_missing(const Transcript& transcript, const std::vector<std::string>& output) {
  std::size_t at = 0;
  bool may_skip = true;
  for (const std::string& line : transcript.lines) {
    if (line == left_out) {
      may_skip = true;
      continue;
    }
    std::size_t next = at;
    while (may_skip && next < output.size() && output[next] != line) ++next;
    if (next >= output.size() || output[next] != line) return "'" + line + "'";
    at = next + 1;
    may_skip = false;
  }
  return "";
}

void expect_as_printed(const std::string& page, std::size_t least) {
  const std::vector<Transcript> transcripts =
      transcripts_in(std::string(SHARDCHECK_SOURCE_DIR) + "/" + page);
  EXPECT_GE(transcripts.size(), least) << page;
  const Folder folder;
  for (const Transcript& transcript : transcripts) {
    const Output output = run_command(folder, transcript.words);
    EXPECT_EQ(output.exit_code, 0) << page << ":" << transcript.line << output.err;
    EXPECT_FALSE(transcript.lines.empty()) << page << ":" << transcript.line;
    EXPECT_EQ(first_missing(transcript, lines_of(output.out)), "")
        << page << ":" << transcript.line << " shows a line that isn't printed there:\n"
        << output.out;
  }
}

TEST(Transcripts, OfTheTextbookSituationsAreTrue) { expect_as_printed("docs/textbook.md", 12); }

TEST(Transcripts, OfTheOrderOfSumsAreTrue) { expect_as_printed("docs/order.md", 4); }

TEST(Transcripts, OfTheFirstPageAreTrue) { expect_as_printed("README.md", 1); }

}  // namespace
}  // namespace shardcheck::tools
