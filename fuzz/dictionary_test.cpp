// The dictionary has every name that a case may hold: what it lacks, a fuzzer meets by luck alone.
// SHARDCHECK_DICTIONARY comes from CMakeLists.txt.

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/case/calls_case.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/case/text_keys.h>

namespace shardcheck {
namespace {

std::string dictionary() {
  std::ifstream file(SHARDCHECK_DICTIONARY);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool has(const std::string& text, std::string_view word) {
  return text.find('"' + std::string(word) + '"') != std::string::npos;
}

TEST(Dictionary, HasEveryDtypeAlgorithmAndRegime) {
  const std::string text = dictionary();
  for (const DtypeInfo& entry : dtypes) EXPECT_TRUE(has(text, entry.name)) << entry.name;
  for (const AlgorithmInfo& entry : algorithms) EXPECT_TRUE(has(text, entry.name)) << entry.name;
  for (const RegimeInfo& entry : regimes) {
    const std::string word =
        std::string(entry.name) + (entry.regime == Data::Regime::given ? "" : ":");
    EXPECT_TRUE(has(text, word)) << word;
  }
}

TEST(Dictionary, HasEveryCollectiveAndOperator) {
  const std::string text = dictionary();
  for (const std::string_view name : collective_names) EXPECT_TRUE(has(text, name)) << name;
  for (const OperatorInfo& entry : operators) EXPECT_TRUE(has(text, entry.name)) << entry.name;
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
  for (const std::string_view word :
       {"slice:A/x", "gather:B/x", "exchange:A", "local", "reduce_scatter:C/x", "all_reduce:C/x",
        "gather_local:A/x", "local_scatter:C/x", "summa:x/y", "cannon:x/y"}) {
    EXPECT_TRUE(has(text, word)) << word;
    EXPECT_TRUE(parse_plan(mesh, word)) << word;
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
