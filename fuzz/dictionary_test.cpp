// The dictionary has every name that a case may hold: what it lacks, a fuzzer meets by luck alone.
// SHARDCHECK_DICTIONARY comes from CMakeLists.txt.

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/case/text/keys.h>

namespace shardcheck {
namespace {

std::string dictionary() {
  std::ifstream file(SHARDCHECK_DICTIONARY);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool has(const std::string& text, std::string_view word) {
  return text.find('"' + std::string(word) + '"') != std::string::npos;
}

/// Of a table, each name, or the name and what follows before its value.
template <typename Table>
void expect_names(const std::string& text, const Table& table) {
  for (const auto& entry : table) {
    const std::string word(entry.name);
    EXPECT_TRUE(has(text, word) || has(text, word + ":")) << word;
  }
}

TEST(Dictionary, HasEveryName) {
  const std::string text = dictionary();
  expect_names(text, dtypes);
  expect_names(text, algorithms);
  expect_names(text, regimes);
  expect_names(text, operators);
  expect_names(text, orders);
  expect_names(text, kernels);
  expect_names(text, fmas);
  expect_names(text, split_rules);
  expect_names(text, run_kinds);
  for (const std::string_view name : collective_names) EXPECT_TRUE(has(text, name)) << name;
}

TEST(Dictionary, HasEveryKey) {
  const std::string text = dictionary();
  for (const KeyInfo& entry : keys) {
    const std::string word = " " + std::string(entry.name) + "=";
    EXPECT_TRUE(has(text, word)) << word;
  }
}

TEST(Dictionary, HasEveryStep) {
  const std::string text = dictionary();
  const Mesh mesh{{{"x", 2}, {"y", 2}}};
  for (const StepInfo& step : step_kinds) {
    EXPECT_TRUE(has(text, step.form)) << step.form;
    EXPECT_TRUE(parse_plan(mesh, step.form)) << step.form;
  }
}

TEST(Dictionary, IsLinesOfOneQuotedWordOrAComment) {
  std::ifstream file(SHARDCHECK_DICTIONARY);
  std::string line;
  int words = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    ++words;
    EXPECT_TRUE(line.size() >= 3 && line.front() == '"' && line.back() == '"') << line;
  }
  EXPECT_GT(words, 50);
}

}  // namespace
}  // namespace shardcheck
