// Large failing cases become the form that one would write by hand, whatever the failure does to
// its process, and nothing is lost on the way.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.h"

namespace shardcheck::tools {
namespace {

const std::string scattered =
    "matmul mesh=x4 i=24 j=20 k=27 A[i,k/x] B[k/x,j] -> C[i/x,j] split.k=cyclic:2 in=bf16 "
    "wire=bf16 algorithm.reduce_scatter=direct plan=local+reduce_scatter:C/x kernel=ordered "
    "data=rounding:7 run=pct:2:9";
const std::string two_axes =
    "matmul mesh=x2,y3 i=20 j=26 k=21 A[i/y,k/x] B[k/x,j] -> C[i/y,j/x] split.k=sizes:13,8 "
    "in=f16 wire=f16 data=rounding:11 run=threads";
const std::string replicated =
    "matmul mesh=x5 i=22 j=20 k=33 A[i,k/x] B[k/x,j] -> C[i,j] split.k=ceil in=i32 "
    "algorithm.all_reduce=direct plan=local+all_reduce:C/x data=ints:5";
struct Example {
  std::string fault;
  std::string found;
  std::string by_hand;  ///< docs/failures.md has the same table, with the reasons
};

const std::vector<Example> examples = {
    {"last_k_dropped", scattered,
     "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] plan=local data=given A=0 B=0"},
    {"last_k_dropped_in_silence", two_axes,
     "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] plan=local data=given A=1 B=1"},
    {"rank_left_out", replicated,
     "matmul mesh=x1 i=1 j=1 k=2 A[i,k] B[k,j] -> C[i,j] plan=local data=given A=1,1 B=1,1"},
    {"k_blocks_in_another_order", scattered,
     "matmul mesh=x1 i=0 j=0 k=2 A[i,k] B[k,j] -> C[i,j] plan=local data=given A= B="},
    {"result_shards_swapped", two_axes,
     "matmul mesh=x2 i=2 j=1 k=0 A[i,k] B[k,j] -> C[i/x,j] plan=local+slice:C/x data=given A= B="},
    {"result_values_swapped", scattered,
     "matmul mesh=x2 i=2 j=1 k=1 A[i,k] B[k,j] -> C[i/x,j] plan=local+slice:C/x data=given A=0,1 "
     "B=1"},
    {"one_ulp_added", two_axes,
     "matmul mesh=x1 i=1 j=1 k=0 A[i,k] B[k,j] -> C[i,j] plan=local data=given A= B="},
    {"receive_added_to_ledger", replicated,
     "matmul mesh=x2 i=0 j=1 k=1 A[i,k] B[k/x,j] -> C[i,j] plan=gather:B/x+local data=given A= "
     "B=0"},
    {"element_written_outside", scattered,
     "matmul mesh=x2 i=1 j=1 k=0 A[i,k] B[k,j] -> C[i/x,j] plan=local+slice:C/x data=given A= B="},
    {"replica_differs", replicated,
     "matmul mesh=x2 i=1 j=1 k=0 A[i,k] B[k,j] -> C[i,j] plan=local data=given A= B="},
};

nlohmann::json minimized(const Folder& folder, const std::string& what, const std::string& fault,
                         const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = {"minimize", what, "--fault", fault, "--json", "out.json"};
  words.insert(words.end(), more.begin(), more.end());
  const Output output = run_command(folder, words);
  EXPECT_EQ(output.exit_code, 1) << fault << output.err << output.out;
  return nlohmann::json::parse(folder.read("out.json"));
}

/// True once a file below failures/ holds this text; waits 20 seconds.
bool comes_to_hold(const Folder& folder, const std::string& name, const std::string& text) {
  for (int attempt = 0; attempt < 4000; ++attempt) {
    for (const std::string& file : folder.files()) {
      const bool is_it = file.starts_with("failures/" + name) && file.ends_with(".case");
      if (is_it && folder.read(file).find(text) != std::string::npos) return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

TEST(Minimize, ReachesTheFormWrittenByHandInSeconds) {
  for (const Example& example : examples) {
    const Folder folder;
    const auto report = minimized(folder, example.found, example.fault);
    EXPECT_EQ(report["case"], example.by_hand) << example.fault;
    EXPECT_EQ(report["minimised"], true) << example.fault;
    EXPECT_LT(report["timing"]["seconds"], 10.0) << example.fault;
    RecordProperty(example.fault, report["timing"]["seconds"].dump());
  }
}

TEST(Minimize, OfAResultGivesItAgain) {
  const Folder folder;
  for (const Example& example : {examples[0], examples[5], examples[7]}) {
    const std::string file = minimized(folder, example.found, example.fault)["file"];
    const auto again = minimized(folder, file, example.fault);
    EXPECT_EQ(again["case"], example.by_hand);
    EXPECT_EQ(again["file"], file);
  }
}

TEST(Minimize, TakesACaseThatFailsInI64Alone) {
  const Folder folder;
  const auto report = minimized(
      folder,
      "matmul mesh=x2 i=2 j=1 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] in=bf16 data=given A=0,0,0,0 B=0,0",
      "last_k_dropped_in_silence");
  EXPECT_EQ(report["signature"], "coverage/k_missing");
  EXPECT_EQ(report["case"],
            "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] plan=local data=given A=0 B=0");
}

TEST(Minimize, TakesACaseThatHangs) {
  const Folder folder;
  const auto report =
      minimized(folder, scattered, "loop_runs_past_its_end", {"--case-timeout", "1"});
  EXPECT_EQ(report["signature"], "liveness/timeout");
  EXPECT_EQ(report["case"],
            "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] plan=local data=given A=0 B=0");
}

TEST(Minimize, TakesACaseThatCrashes) {
  const Folder folder;
  const auto report = minimized(
      folder, "matmul mesh=x4 i=24 j=20 k=3 A[i,k/x] B[k/x,j] -> C[i/x,j] data=rounding:7",
      "empty_shard_aborts");
  EXPECT_EQ(report["signature"], "liveness/crash");
  EXPECT_EQ(report["case"],
            "matmul mesh=x1 i=0 j=0 k=0 A[i,k] B[k,j] -> C[i,j] plan=local data=given A= B=");
}

TEST(Minimize, HoldsACaseToItsMemory) {
  const Folder folder;
  const auto report =
      minimized(folder, scattered, "gibibyte_of_scratch", {"--memory-limit", "512"});
  EXPECT_EQ(report["signature"], "liveness/threw");
  EXPECT_EQ(report["case"],
            "matmul mesh=x1 i=0 j=0 k=1 A[i,k] B[k,j] -> C[i,j] plan=local data=given A= B=");
  const Output roomy =
      run_command(folder, {"minimize", scattered, "--fault", "gibibyte_of_scratch"});
  EXPECT_EQ(roomy.exit_code, 0) << roomy.out;
}

TEST(Minimize, ReadsWhatAFuzzerLeftAndStandardInput) {
  const Folder folder;
  folder.write("crash-0a1b2c", scattered);
  EXPECT_EQ(minimized(folder, "crash-0a1b2c", "last_k_dropped")["case"], examples[0].by_hand);
  const Output output =
      run_command(folder, {"minimize", "-", "--fault", "last_k_dropped"}, scattered);
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_NE(output.out.find(examples[0].by_hand), std::string::npos) << output.out;
}

TEST(Minimize, KeepsTheSmallestSoFarWhenItsBudgetIsSpent) {
  const Folder folder;
  const auto report = minimized(folder, scattered, "last_k_dropped", {"--budget", "3"});
  EXPECT_EQ(report["stopped"], "3 candidates were tried");
  EXPECT_EQ(report["minimised"], false);
  EXPECT_NE(report["case"], report["found"]);
  const Output replay =
      run_command(folder, {"replay", "--fault", "last_k_dropped", report["file"]});
  EXPECT_EQ(replay.exit_code, 1) << replay.out;
  const auto at_once = minimized(folder, scattered, "last_k_dropped", {"--time-limit", "0"});
  EXPECT_EQ(at_once["stopped"], "the time is over");
}

TEST(Minimize, OfACaseThatPassesOrCantBeReadSaysSo) {
  const Folder folder;
  const Output passes = run_command(folder, {"minimize", scattered});
  EXPECT_EQ(passes.exit_code, 0);
  EXPECT_NE(passes.out.find("nothing to minimise"), std::string::npos) << passes.out;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"stderr", "stdout"}));
  folder.write("crash-no-case", "\x01\x02 no case");
  EXPECT_EQ(run_command(folder, {"minimize", "crash-no-case"}).exit_code, 2);
  EXPECT_EQ(run_command(folder, {"minimize", scattered, "--budget", "0"}).exit_code, 2);
  EXPECT_EQ(run_command(folder, {"minimize", scattered, "--fault", "none_such"}).exit_code, 2);
}

TEST(Minimize, ThatCannotKeepItsResultSaysSoAndPrintsIt) {
  const Folder folder;
  // The name of its file is taken by a folder.
  const std::string taken = "failures/coverage-k_missing-last_k_dropped.case";
  std::filesystem::create_directories(folder.file(taken) + "/full");
  const std::string one = "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]";
  const Output output = run_command(folder, {"minimize", one, "--fault", "last_k_dropped"});
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_EQ(output.err,
            "shardcheck: --failures: '" + taken + "' was not written: Is a directory\n");
  const std::string replay = "\n  replay: shardcheck replay --fault last_k_dropped '";
  const std::size_t at = output.out.find(replay);
  ASSERT_NE(at, std::string::npos) << output.out;
  const std::size_t begin = at + replay.size();
  const std::string kept = output.out.substr(begin, output.out.find('\'', begin) - begin);
  EXPECT_EQ(run_command(folder, {"replay", "--fault", "last_k_dropped", kept}).exit_code, 1)
      << kept;
  EXPECT_NE(output.out.find("this is the smallest that fails alike\n"), std::string::npos)
      << output.out;
}

TEST(Minimize, KeepsTheSmallestSoFarWhenInterrupted) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const Folder folder;
    const pid_t pid =
        start_command(folder, {"minimize", scattered, "--fault", "loop_runs_past_its_end",
                               "--case-timeout", "1", "--json", "out.json"});
    ASSERT_TRUE(comes_to_hold(folder, "liveness-timeout", "being minimised"));
    ::kill(pid, signal);
    const Output output = finish(folder, pid);
    EXPECT_EQ(output.exit_code, 1) << output.out;
    const auto report = nlohmann::json::parse(folder.read("out.json"));
    EXPECT_EQ(report["stopped"], "interrupted");
    EXPECT_NE(report["case"], report["found"]);
    EXPECT_NE(folder.read(report["file"]).find(report["case"]), std::string::npos);
  }
}

TEST(Minimize, InterruptedBeforeItsFirstCandidateEndedKeepsTheCaseItWasGiven) {
  const Folder folder;
  const pid_t pid =
      start_command(folder, {"minimize", scattered, "--fault", "loop_runs_past_its_end",
                             "--case-timeout", "2", "--json", "out.json"});
  // Written once the case has hung by itself; then it hangs for two seconds more.
  ASSERT_TRUE(comes_to_hold(folder, "liveness-timeout", "given to minimize"));
  ::kill(pid, SIGINT);
  const Output output = finish(folder, pid);
  EXPECT_EQ(output.exit_code, 1) << output.out;
  EXPECT_EQ(output.out.find("not seen again"), std::string::npos) << output.out;
  EXPECT_NE(output.out.find("stopped early, interrupted\n"), std::string::npos) << output.out;
  const auto report = nlohmann::json::parse(folder.read("out.json"));
  EXPECT_EQ(report["stopped"], "interrupted");
  EXPECT_EQ(report["reproduced"], true);
  EXPECT_EQ(report["minimised"], false);
  EXPECT_EQ(report["case"], report["found"]);
  const std::string kept = folder.read(report["file"]);
  EXPECT_NE(kept.find(scattered), std::string::npos) << kept;
  EXPECT_EQ(kept.find("made smaller"), std::string::npos) << kept;
}

TEST(Minimize, InterruptedBeforeAnythingIsKnownSaysSo) {
  const Folder folder;
  const pid_t pid =
      start_command(folder, {"minimize", scattered, "--fault", "loop_runs_past_its_end"});
  ASSERT_TRUE(comes_to_hold(folder, "running-", "matmul"));
  ::kill(pid, SIGTERM);
  const Output output = finish(folder, pid);
  EXPECT_EQ(output.exit_code, 130);
  EXPECT_EQ(output.out.find("interrupted before it was known whether the case fails\n"), 0U)
      << output.out;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"stderr", "stdout"}));
}

TEST(Minimize, LeavesItsBestAndTheCandidateAtWorkOnDiskWhenKilled) {
  const Folder folder;
  const pid_t pid = start_command(
      folder, {"minimize", scattered, "--fault", "loop_runs_past_its_end", "--case-timeout", "1"});
  ASSERT_TRUE(comes_to_hold(folder, "liveness-timeout", "being minimised"));
  ASSERT_TRUE(comes_to_hold(folder, "running-", "matmul"));
  ::kill(pid, SIGKILL);
  EXPECT_EQ(finish(folder, pid).exit_code, 1000 + SIGKILL);
  int cases = 0;
  for (const std::string& file : folder.files()) {
    if (!file.ends_with(".case")) continue;
    ++cases;
    // Without the fault both pass: they are whole.
    EXPECT_EQ(run_command(folder, {"replay", file}).exit_code, 0) << file << folder.read(file);
  }
  EXPECT_GE(cases, 2);
}

}  // namespace
}  // namespace shardcheck::tools
