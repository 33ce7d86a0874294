// Every way to get a case wrong ends alike: exit 2, one line with the column, nothing run.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "command.h"

namespace shardcheck::tools {
namespace {

struct BadCase {
  std::string label;
  std::string line;
  std::string said;  ///< part of the message; columns are counted by hand
};

// In "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j]" the words begin at columns 1, 8,
// 16, 20, 24, 28, 37, 46 and 49; what is appended begins at column 58.
const std::string good = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j]";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::vector<BadCase> bad_cases() {
  return {
      {"unknown key", good + " kk=3", "column 58: found 'kk=3'"},
      {"overlapping sets", good + " split.k=sets:0,1|1", "column 75: found '1'"},
      {"a hole in the sets", replaced(good, "k=2", "k=3") + " split.k=sets:0|2", "column"},
      {"negative size", replaced(good, "i=2", "i=-2"), "column 18: found '-2'"},
      {"too many elements", replaced(good, "i=2", "i=1099511627776"),
       "column 18: found '1099511627776'"},
      {"mesh axis used twice in a tensor", replaced(good, "A[i,", "A[i/x,"),
       "column 36: found 'x'"},
      {"axis that the mesh lacks", replaced(good, "A[i,k/x]", "A[i,k/w]"), "column 34: found 'w'"},
      {"wrong count of values", good + " data=given A=1,2,3 B=5,6,7,8", "4 values"},
      {"number too large", good + " data=given A=1,2,3,1e999 B=5,6,7,8", "column 77: found"},
      {"number not exact in its dtype", good + " data=given A=1,2,3,0.1 B=5,6,7,8",
       "column 77: found '0.1'"},
      {"unknown dtype", good + " in=f33", "column 61: found 'f33'"},
      {"truncated line", "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x", "column"},
      {"empty line", "", "column 1: found nothing"},
  };
}

void expect_bad_input(const Output& output, const std::string& label) {
  EXPECT_EQ(output.exit_code, 2) << label << ": " << output.err;
  EXPECT_EQ(output.out, "") << label;
  EXPECT_EQ(std::count(output.err.begin(), output.err.end(), '\n'), 1) << label << output.err;
  EXPECT_NE(output.err.find("column"), std::string::npos) << label << output.err;
  EXPECT_LT(output.seconds, 1.0) << label;
}

TEST(BadCase, EndsWithTwoAndOneLineThatNamesTheColumn) {
  const Folder folder;
  for (const BadCase& bad : bad_cases()) {
    const Output output = run_command(folder, {"replay", bad.line});
    expect_bad_input(output, bad.label);
    EXPECT_NE(output.err.find(bad.said), std::string::npos) << bad.label << ": " << output.err;
  }
}

TEST(BadCase, IsToldAlikeByEverySubCommandThatTakesOne) {
  const Folder folder;
  for (const std::string command : {"replay", "explain", "plan", "minimize"}) {
    expect_bad_input(run_command(folder, {command, good + " kk=3"}), command);
  }
}

TEST(BadCase, InAFileIsNamedByFileAndLine) {
  const Folder folder;
  folder.write("a.case", "# a comment\n\n" + good + " kk=3\n");
  const Output output = run_command(folder, {"replay", "a.case"});
  expect_bad_input(output, "file");
  EXPECT_NE(output.err.find("a.case:3: column 58: found 'kk=3'"), std::string::npos) << output.err;
}

TEST(BadCase, OfRandomBytesIsNoTrouble) {
  const Folder folder;
  std::string bytes;
  // A linear congruential sequence (Numerical Recipes): every byte value occurs.
  std::uint32_t state = 1;
  for (int index = 0; index < 200000; ++index) {
    state = state * 1664525U + 1013904223U;
    bytes += static_cast<char>(state >> 24);
  }
  folder.write("random.case", bytes);
  for (const std::string command : {"replay", "explain", "plan", "minimize"}) {
    expect_bad_input(run_command(folder, {command, "random.case"}), command);
    expect_bad_input(run_command(folder, {command, "-"}, bytes), command);
  }
  std::erase(bytes, '\n');
  folder.write("random.case", bytes);
  expect_bad_input(run_command(folder, {"replay", "random.case"}), "one line");
}

TEST(BadCase, OfAHugeFileIsNotRead) {
  const Folder folder;
  folder.write("huge.case", "");
  ASSERT_EQ(::truncate(folder.file("huge.case").c_str(), std::int64_t{1} << 40), 0);
  expect_bad_input(run_command(folder, {"replay", "huge.case"}), "huge");
}

TEST(BadCase, ThatReadsWellButMeansNothingIsToldByReplayAndExplain) {
  const Folder folder;
  // Nothing may be summed: k isn't cut, so that no partial is there to reduce.
  const std::string line =
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k] B[k,j] -> C[i/x,j] plan=local+reduce_scatter:C/x";
  EXPECT_EQ(run_command(folder, {"explain", line}).exit_code, 2);
  EXPECT_EQ(run_command(folder, {"plan", line}).exit_code, 2);
}

TEST(BadUsage, EndsWithTwoBeforeAnythingRuns) {
  const Folder folder;
  const std::vector<std::vector<std::string>> usages = {
      {},
      {"frobnicate"},
      {"run", "--cases", "-1"},
      {"run", "--cases", "many"},
      {"run", "--only", "in"},
      {"run", "--only", "colour=red"},
      {"run", "--only", "in=f33"},
      {"run", "--fault", "none_such"},
      {"run", "--jobs", "0"},
      {"run", "--json", "no/such/folder/x.json"},
      {"run", "--report", "no/such/folder/x.xml"},
      {"run", "--failures", "no/such/folder/failures"},
      {"replay"},
      {"replay", "no-such-file.case"},
      {"replay", folder.path()},
      {"explain", good, "--fault", "none_such"},
  };
  for (const std::vector<std::string>& usage : usages) {
    const Output output = run_command(folder, usage);
    const std::string label = usage.empty() ? "" : usage.front() + " " + usage.back();
    EXPECT_EQ(output.exit_code, 2) << label;
    EXPECT_EQ(output.out, "") << label;
    EXPECT_NE(output.err, "") << label;
  }
}

TEST(BadOutput, ThatTakesNothingIsAnErrorAndNoCrash) {
  const std::string binary = SHARDCHECK_BINARY;
  for (const std::string words :
       {"list", "run --cases 3 --failures /dev/null/none", "run --cases 20",
        "replay 'all_reduce n=1'", "plan 'all_reduce n=1'", "--help"}) {
    const int status = std::system((binary + " " + words + " >/dev/full 2>/dev/null").c_str());
    ASSERT_TRUE(WIFEXITED(status)) << words;
    EXPECT_EQ(WEXITSTATUS(status), 2) << words;
  }
}

TEST(BadOutput, AReportThatStoodThereStaysUntilItIsReplaced) {
  const Folder folder;
  folder.write("old.json", "{\"old\": 1}");
  EXPECT_EQ(run_command(folder, {"run", "--cases", "3", "--only", "nn=3", "--json", "old.json"})
                .exit_code,
            2);
  EXPECT_EQ(run_command(folder, {"replay", "--json", "old.json", "all_reduce"}).exit_code, 2);
  EXPECT_EQ(folder.read("old.json"), "{\"old\": 1}");
}

struct ToldUsage {
  std::vector<std::string> words;
  std::string said;  ///< how the message begins
};

TEST(BadUsage, NamesWhatWasFoundAndWhatWasExpected) {
  const Folder folder;
  const std::vector<ToldUsage> usages = {
      {{"frobnicate"},
       "shardcheck: found 'frobnicate', expected a command: run, enumerate, minimize, replay, "
       "explain, plan, order, list\n"},
      {{"enumerate", "--split", "foo"},
       "shardcheck: --split: found 'foo', expected balanced, ceil, cyclic or sizes\n"},
      {{"enumerate", "--with", "data=given"},
       "shardcheck: 'data=given': found nothing, expected A= with"},
      {{"enumerate", "--ranks", "0"},
       "shardcheck: --ranks: found '0', expected a whole number from 1 to 1024\n"},
      {{"enumerate", "--axes", "4"},
       "shardcheck: --axes: found '4', expected a whole number from 1 to 3\n"},
      {{"enumerate", "--sizes", "65"},
       "shardcheck: --sizes: found '65', expected a whole number from 0 to 64\n"},
      {{"replay", good + " in_place=yes"},
       "shardcheck: column 58: found 'in_place=yes', expected a key of products; in_place= is one "
       "of collectives\n"},
      {{"replay", "all_reduce mesh=x2 n=2 wire=f16"},
       "shardcheck: column 24: found 'wire=f16', expected a key of collectives; wire= is one of "
       "products\n"},
      {{"replay", "nofile"},
       "shardcheck: column 1: found 'nofile', expected matmul, or a collective: all_reduce, "
       "reduce_scatter, all_gather, reduce, broadcast, gather, scatter, all_to_all, permute; "
       "nor is there such a file\n"},
      {{"enumerate", "--with", "in=int8"}, "shardcheck: 'in=int8': found 'int8', expected i8, u8"},
      {{"run", "--only", "dtype=bf16"},
       "shardcheck: no key 'dtype' to restrict; did you mean 'in'? "},
      {{"run", "--only", "i=3", "--only", "op=max"},
       "shardcheck: no kind of case has all these keys: of products alone i=3; of collectives "
       "alone op=max\n"},
      {{"run", "--only", "in=bf16", "--only", "in=f32"},
       "shardcheck: --only: found in=bf16 and in=f32, expected one value of a key\n"},
      {{"run", "--only", "run=fibers", "--run", "threads"},
       "shardcheck: --only: found run=fibers and run=threads, expected one value of a key\n"},
      {{"replay", "-"},
       "shardcheck: standard input:1: column 1: found no case, expected one line that begins with "
       "'matmul' or a collective such as 'all_reduce'\n"},
  };
  for (const ToldUsage& usage : usages) {
    const Output output = run_command(folder, usage.words);
    EXPECT_EQ(output.exit_code, 2) << usage.words.back();
    EXPECT_EQ(output.err.substr(0, usage.said.size()), usage.said) << usage.words.back();
  }
}

TEST(BadUsage, OfANumberIsRefusedAndNeverBentIntoRange) {
  const Folder folder;
  const std::vector<std::vector<std::string>> usages = {
      {"run", "--seed", "18446744073709551616"},
      {"run", "--seed", "-1"},
      {"run", "--seed", "1e6"},
      {"run", "--seed", " 5"},
      {"run", "--cases", "99999999999999999999"},
      {"run", "--cases", "1000000000001"},
      {"run", "--cases", "010"},
      {"run", "--cases", "+5"},
      {"run", "--cases", "1.0"},
      {"run", "--jobs", "257"},
      {"run", "--max-failures", "0"},
      {"run", "--memory-limit", "63"},
      {"run", "--time", "nan"},
      {"run", "--time", "inf"},
      {"run", "--time", "-1"},
      {"run", "--time", "1s"},
      {"run", "--case-timeout", "nan"},
      {"run", "--case-timeout", "0"},
      {"enumerate", "--ranks", "99999999999999999999"},
      {"enumerate", "--steps", "7"},
      {"minimize", good, "--time-limit", "nan"},
      {"minimize", good, "--budget", "0"},
  };
  for (std::vector<std::string> usage : usages) {
    const std::string option = usage[usage.size() - 2];
    const std::string said = "shardcheck: " + option + ": found '" + usage.back() + "', expected ";
    // Were it taken, the command should end at once.
    if (usage[0] == "run") usage.insert(usage.end(), {"--only", "i=bad"});
    if (usage[0] == "enumerate") usage.insert(usage.end(), {"--with", "in=bad"});
    const Output output = run_command(folder, usage);
    EXPECT_EQ(output.exit_code, 2) << said;
    EXPECT_EQ(output.out, "") << said;
    EXPECT_EQ(output.err.substr(0, said.size()), said);
  }
}

TEST(BadUsage, OfAnEmptyPathIsRefused) {
  const Folder folder;
  for (const std::vector<std::string>& usage :
       std::vector<std::vector<std::string>>{{"run", "--cases", "1", "--json", ""},
                                             {"run", "--cases", "1", "--report", ""},
                                             {"run", "--cases", "1", "--failures", ""},
                                             {"enumerate", "--count", "--json", ""},
                                             {"minimize", good, "--json", ""},
                                             {"replay", good, "--json", ""}}) {
    const Output output = run_command(folder, usage);
    EXPECT_EQ(output.exit_code, 2) << usage.front();
    EXPECT_EQ(output.err.substr(0, output.err.find('\n')),
              "shardcheck: " + usage[usage.size() - 2] +
                  ": found nothing, expected the path of a file or folder");
  }
}

TEST(Run, TakesTheLargestSeedAndAKeySaidTwiceAlike) {
  const Folder folder;
  const Output output =
      run_command(folder, {"run", "--cases", "5", "--seed", "18446744073709551615", "--run",
                           "fibers", "--only", "run=fibers"});
  EXPECT_EQ(output.exit_code, 0) << output.err;
  EXPECT_NE(output.out.find("seed 18446744073709551615"), std::string::npos) << output.out;
}

TEST(BadUsage, OfAFaultThatWouldEndTheCommandOrCannotBeThereIsRefused) {
  const Folder folder;
  for (const std::string command : {"explain", "order", "replay"}) {
    for (const std::string fault :
         {"loop_runs_past_its_end", "empty_shard_aborts", "gibibyte_of_scratch"}) {
      std::vector<std::string> words = {command, good, "--fault", fault};
      if (command == "replay") words.emplace_back("--in-process");
      const Output output = run_command(folder, words);
      EXPECT_EQ(output.exit_code, 2) << command << fault;
      EXPECT_EQ(output.out, "") << command << fault;
      EXPECT_NE(output.err.find("--fault: " + fault + " would take this process with it"),
                std::string::npos)
          << output.err;
    }
    const Output output =
        run_command(folder, {command, "all_gather mesh=x2 n=2", "--fault", "last_k_dropped"});
    EXPECT_EQ(output.exit_code, 2) << command;
    EXPECT_NE(output.err.find("last_k_dropped is a mistake in"), std::string::npos) << output.err;
  }
}

}  // namespace
}  // namespace shardcheck::tools
