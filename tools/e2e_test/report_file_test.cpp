// Reports: none is lost for another, for a link, or without a word.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.h"

namespace shardcheck::tools {
namespace {

const std::string line = "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]";

/// In a shell in the folder.
int run_in_shell(const Folder& folder, const std::string& before, const std::string& words) {
  const std::string command = "cd " + folder.path() + " && " + before +
                              " exec " SHARDCHECK_BINARY " " + words + " >out.txt 2>err.txt";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(Reports, OfOneFileAreRefused) {
  const Folder folder;
  folder.write("there", "");
  ASSERT_EQ(::symlink("there", folder.file("link").c_str()), 0);
  ASSERT_EQ(::symlink("nothing-yet", folder.file("dangling").c_str()), 0);
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"a", "a"}, {"a", "./a"}, {"there", "link"}, {"dangling", folder.file("nothing-yet")}};
  for (const auto& [json, junit] : pairs) {
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"run", "--cases", "3"}, {"enumerate", "--ranks", "1", "--sizes", "0"}}) {
      std::vector<std::string> words = command;
      words.insert(words.end(), {"--json", json, "--report", junit});
      const Output output = run_command(folder, words);
      EXPECT_EQ(output.exit_code, 2) << json << junit << output.out;
      EXPECT_EQ(output.err, "shardcheck: --json: '" + json + "' and --report: '" + junit +
                                "' are one file, expected two\n");
    }
  }
  EXPECT_EQ(run_command(folder, {"enumerate", "--ranks", "1", "--sizes", "0", "--json", "/dev/null",
                                 "--report", "/dev/null"})
                .exit_code,
            0);
}

TEST(Reports, AreWrittenThroughALink) {
  const Folder folder;
  ASSERT_TRUE(std::filesystem::create_directory(folder.file("below")));
  folder.write("below/target", "old");
  ASSERT_EQ(::symlink("below/target", folder.file("link").c_str()), 0);
  EXPECT_EQ(run_command(folder, {"replay", line, "--json", "link"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(nlohmann::json::parse(folder.read("below/target"))["failed"], 0);
}

TEST(Reports, OnStandardOutputStandBesideTheText) {
  const Folder folder;
  // As /dev/stdout is, which is not to be risked.
  ASSERT_EQ(::symlink("/proc/self/fd/1", folder.file("stdout-link").c_str()), 0);
  EXPECT_EQ(run_in_shell(folder, "", "replay '" + line + "' --json stdout-link"), 0);
  const std::string out = folder.read("out.txt");
  EXPECT_TRUE(out.starts_with("pass\n")) << out;
  EXPECT_NE(out.find("\"failed\": 0"), std::string::npos) << out;
}

TEST(Reports, ThatCannotBeWrittenAreToldWithTheReason) {
  const Folder folder;
  EXPECT_EQ(run_in_shell(folder, "", "replay '" + line + "' --json /dev/full"), 2);
  EXPECT_EQ(folder.read("err.txt"),
            "shardcheck: --json: '/dev/full' was not written: No space left on device\n");
  // One block of 1024 or 512 bytes is enough for the text, not for the report.
  EXPECT_EQ(run_in_shell(folder, "ulimit -f 1;", "replay '" + line + "' --json a.json"), 2);
  EXPECT_EQ(folder.read("err.txt"),
            "shardcheck: --json: 'a.json' was not written: File too large\n");
  EXPECT_EQ(folder.read("a.json"), "");
  EXPECT_FALSE(std::filesystem::exists(folder.file("failures")));
}

TEST(Reports, AreWrittenBeforeATextThatNobodyTakes) {
  const Folder folder;
  EXPECT_EQ(run_in_shell(folder, "", "run --cases 20 --json a.json --report a.xml >/dev/full #"),
            2);
  EXPECT_EQ(nlohmann::json::parse(folder.read("a.json"))["cases"], 20);
  EXPECT_NE(folder.read("a.xml").find("</testsuites>"), std::string::npos);
}

}  // namespace
}  // namespace shardcheck::tools
