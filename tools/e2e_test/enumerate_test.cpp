// Every small case: as many as were announced, each once, however they are split among workers.

#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.h"

namespace shardcheck::tools {
namespace {

nlohmann::ordered_json without_timing(const std::string& text) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(text);
  json.erase("timing");
  return json;
}

TEST(Enumerate, RunsAsManyCasesAsItSaysFirst) {
  const Folder folder;
  const std::vector<std::string> space = {"enumerate", "--ranks", "2", "--sizes", "1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), space.begin(), space.end());
    return run_command(folder, more);
  };
  const Output counted = with({"--count"});
  EXPECT_EQ(counted.exit_code, 0);
  const Output output = with({"--json", "one.json"});
  EXPECT_EQ(output.exit_code, 0) << output.out;
  EXPECT_EQ(output.out.substr(0, counted.out.size()), counted.out);
  const auto report = without_timing(folder.read("one.json"));
  EXPECT_EQ(counted.out.substr(0, counted.out.find(' ')), report["cases"].dump());
  EXPECT_GT(report["cases"], 1000);
  EXPECT_EQ(report["enumerated"], "--ranks 2 --sizes 1 --axes 1 --steps 2 --split balanced");
  EXPECT_EQ(with({"--json", "two.json", "--jobs", "2"}).exit_code, 0);
  EXPECT_EQ(report, without_timing(folder.read("two.json")));
}

TEST(Enumerate, FindsAFaultAndMinimisesIt) {
  const Folder folder;
  const Output output = run_command(folder, {"enumerate", "--ranks", "2", "--sizes", "2", "--fault",
                                             "result_values_swapped", "--with", "data=rounding:3"});
  EXPECT_EQ(output.exit_code, 1) << output.out;
  EXPECT_NE(output.out.find("FAILED ownership/swapped"), std::string::npos) << output.out;
  EXPECT_NE(folder.read("failures/ownership-swapped-result_values_swapped.case")
                .find("of the enumeration, minimised"),
            std::string::npos);
}

TEST(Enumerate, GoesOnAfterACaseThatCrashes) {
  const Folder folder;
  const Output output =
      run_command(folder, {"enumerate", "--ranks", "1", "--sizes", "0", "--steps", "0", "--fault",
                           "empty_shard_aborts", "--json", "out.json"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(folder.read("out.json"))["cases"], 32) << output.out;
}

TEST(Enumerate, InterruptedWhileItCountsSaysSo) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Folder folder;
    const pid_t pid = start_command(
        folder, {"enumerate", "--ranks", "8", "--sizes", "8", "--axes", "3", "--steps", "6"});
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ::kill(pid, signal);
    const Output output = finish(folder, pid);
    EXPECT_EQ(output.exit_code, 130);
    EXPECT_EQ(output.out, "");
    EXPECT_EQ(output.err, "shardcheck: interrupted while the cases were counted: none ran\n");
  }
}

TEST(Enumerate, RefusesABadSpace) {
  const Folder folder;
  const std::vector<std::vector<std::string>> usages = {
      {"--ranks", "0"}, {"--sizes", "-1"},    {"--axes", "9"},
      {"--with", "k"},  {"--with", "in=f33"}, {"--with", "plan=local"},
      {"--split", "x"}, {"--split", "sets"},  {"--json", "no/such/folder/x.json"}};
  for (std::vector<std::string> usage : usages) {
    usage.insert(usage.begin(), "enumerate");
    usage.insert(usage.end(), {"--max-failures", "1"});
    const Output output = run_command(folder, usage);
    EXPECT_EQ(output.exit_code, 2) << usage[1] << usage[2] << output.out;
    EXPECT_NE(output.err, "") << usage[1];
  }
}

}  // namespace
}  // namespace shardcheck::tools
