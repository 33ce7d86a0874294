// Replaying: a case that hangs, dies or isn't run is told as such, and the others run all the same.

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.h"

namespace shardcheck::tools {
namespace {

const std::string empty = "matmul mesh=x1 i=0 j=0 k=0 A[i,k] B[k,j] -> C[i,j] data=given A= B=";
const std::string full = "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] data=given A=2 B=3";

nlohmann::json report_of(const Folder& folder) {
  return nlohmann::json::parse(folder.read("out.json"));
}

TEST(Replay, TurnsAHangIntoATimeoutAndGoesOn) {
  const Folder folder;
  folder.write("1.case", full);
  folder.write("2.case", empty);
  // The loop runs past its end where there is a k.
  const Output output = run_command(folder, {"replay", ".", "--fault", "loop_runs_past_its_end",
                                             "--case-timeout", "0.5", "--json", "out.json"});
  EXPECT_EQ(output.exit_code, 1) << output.err;
  EXPECT_LT(output.seconds, 20.0);
  EXPECT_NE(output.out.find("./1.case:1\ntimeout liveness/timeout\n"), std::string::npos)
      << output.out;
  EXPECT_NE(output.out.find("got no end within 0.5 s"), std::string::npos) << output.out;
  EXPECT_NE(output.out.find("2 cases, 1 failed\n"), std::string::npos) << output.out;
  const auto report = report_of(folder);
  EXPECT_EQ(report["failed"], 1);
  EXPECT_EQ(report["cases"][0]["status"], "timeout");
  EXPECT_EQ(report["cases"][0]["fails"], true);
  EXPECT_EQ(report["cases"][1]["status"], "pass");
}

TEST(Replay, TurnsACrashIntoAFindingAndGoesOn) {
  const Folder folder;
  folder.write("1.case", empty);
  folder.write("2.case", full);
  const Output output =
      run_command(folder, {"replay", ".", "--fault", "empty_shard_aborts", "--json", "out.json"});
  EXPECT_EQ(output.exit_code, 1) << output.err;
  EXPECT_NE(output.out.find("./1.case:1\nfail liveness/crash\n"), std::string::npos) << output.out;
  EXPECT_NE(output.out.find("got signal 6 (Aborted)"), std::string::npos) << output.out;
  EXPECT_NE(output.out.find("2 cases, 1 failed\n"), std::string::npos) << output.out;
  EXPECT_EQ(report_of(folder)["cases"][1]["status"], "pass");
}

TEST(List, SaysThatReplayTakesFaultsThatEndTheirProcess) {
  const Folder folder;
  const Output output = run_command(folder, {"list"});
  EXPECT_NE(output.out.find("which are run, enumerate, minimize and replay without --in-process\n"),
            std::string::npos)
      << output.out;
}

TEST(Replay, OfAKnownFileThatDiesIsNotAsKnown) {
  const Folder folder;
  // What is known of the case without the fault.
  folder.write("a.case", empty + "\n= sent 0\n");
  EXPECT_EQ(run_command(folder, {"replay", "a.case"}).exit_code, 0);
  const Output output = run_command(folder, {"replay", "a.case", "--fault", "empty_shard_aborts"});
  EXPECT_EQ(output.exit_code, 1) << output.err;
  EXPECT_NE(output.out.find("  not as known: verdict: known pass, got signal 6 (Aborted)\n"),
            std::string::npos)
      << output.out;
}

TEST(Replay, SaysTheSameInItsOwnProcessAndInAnother) {
  const Folder folder;
  for (const std::string fault : {"last_k_dropped", "one_ulp_added"}) {
    const Output apart =
        run_command(folder, {"replay", full, "--fault", fault, "--json", "out.json"});
    const auto report = report_of(folder);
    const Output within = run_command(
        folder, {"replay", full, "--fault", fault, "--json", "out.json", "--in-process"});
    EXPECT_EQ(apart.exit_code, 1);
    EXPECT_EQ(within.exit_code, 1);
    EXPECT_EQ(apart.out, within.out);
    EXPECT_EQ(report, report_of(folder));
  }
}

TEST(Replay, OfAScheduleThatDoesNotFitIsBadInput) {
  const Folder folder;
  const std::string line = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] run=trace:";
  for (const std::string trace : {"7", "0", "0,1,0,1,0,1,0,1,0,1,0,1,0,1,1,1,1,1,1,1,1,1,1,1"}) {
    for (const std::string command : {"replay", "explain"}) {
      const Output output = run_command(folder, {command, line + trace});
      EXPECT_EQ(output.exit_code, 2) << command << trace;
      EXPECT_NE(output.out.find("unsupported: the trace does not fit: "), std::string::npos)
          << output.out;
      EXPECT_EQ(output.out.find("liveness"), std::string::npos) << output.out;
    }
  }
  const Output small = run_command(folder, {"minimize", line + "0,1,0", "--json", "out.json"});
  EXPECT_EQ(small.exit_code, 2) << small.out;
  EXPECT_TRUE(small.out.starts_with("unsupported: the trace does not fit: ")) << small.out;
  EXPECT_EQ(report_of(folder)["status"], "unsupported");
  // Never a pass where it is kept.
  folder.write("a.case", line + "0\n= sent 8 8\n");
  const Output known = run_command(folder, {"replay", "a.case"});
  EXPECT_EQ(known.exit_code, 2) << known.out;
  EXPECT_NE(known.out.find("not as known: verdict: known pass, got unsupported: the trace"),
            std::string::npos)
      << known.out;
}

TEST(Replay, OfAFolderRunsWhatCanBeReadAndNamesTheRest) {
  const Folder folder;
  folder.write("1.case", "");
  folder.write("2.case", full);
  folder.write("3.case", "garbage\n");
  folder.write("4.case", full + "\n= nonsense 3\n");
  folder.write("5.case", empty);
  const Output output = run_command(folder, {"replay", ".", "--json", "out.json"});
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_EQ(std::count(output.err.begin(), output.err.end(), '\n'), 3) << output.err;
  for (const std::string name : {"1.case:1:", "3.case:1:", "4.case:2:"}) {
    EXPECT_NE(output.err.find("shardcheck: ./" + name), std::string::npos) << output.err;
  }
  EXPECT_TRUE(output.out.ends_with("2 cases, 0 failed; 3 files can't be read\n")) << output.out;
  const auto report = report_of(folder);
  EXPECT_EQ(report["cases"].size(), 2U);
  EXPECT_EQ(report["unreadable"].size(), 3U);
  EXPECT_EQ(report["exit"], 2);
}

TEST(Replay, OfACaseThatCannotBeMeantIsNoFailure) {
  const Folder folder;
  folder.write("1.case", full);
  // Nothing may be summed: k isn't cut, so that no partial is there to reduce.
  folder.write("2.case",
               "matmul mesh=x2 i=2 j=2 k=2 A[i,k] B[k,j] -> C[i/x,j] "
               "plan=local+reduce_scatter:C/x");
  const std::vector<std::string> words = {"replay", ".", "--json", "out.json"};
  const Output output = run_command(folder, words);
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_TRUE(output.out.ends_with("2 cases, 0 failed, 1 can't be meant\n")) << output.out;
  EXPECT_EQ(report_of(folder)["cases"][1]["fails"], false);
  EXPECT_EQ(report_of(folder)["illegal"], 1);
  // What isn't right must be put right before the rest means much: 2 stands over 1.
  folder.write("3.case", full + "\n= sent 7\n");
  const Output both = run_command(folder, words);
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_TRUE(both.out.ends_with("3 cases, 1 failed, 1 can't be meant\n")) << both.out;
}

TEST(Replay, SeesInI64WhatTheDataOfAQuietBackendHide) {
  const Folder folder;
  const std::string zeros = "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] data=given A=0 B=0";
  const Output output =
      run_command(folder, {"replay", zeros, "--fault", "last_k_dropped_in_silence"});
  EXPECT_EQ(output.exit_code, 1) << output.err;
  EXPECT_TRUE(output.out.starts_with("fail coverage/k_missing\n")) << output.out;
  EXPECT_NE(output.out.find("seen when the case was run in i64 with random tokens: matmul mesh=x1 "
                            "i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] in=i64 data=rounding:0\n"),
            std::string::npos)
      << output.out;
}

TEST(Replay, OfACaseThatIsNotSupportedIsNoPass) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs its terabytes of addresses";
#endif
  const Folder folder;
  folder.write("1.case", empty);
  folder.write("2.case", "all_reduce mesh=x300 n=3 run=threads\n");
  folder.write("3.case", "matmul mesh=x2 i=4096 j=4096 k=1 A[i/x,k] B[k,j] -> C[i/x,j]\n");
  // No room for the stacks of 300 threads, nor for C, 128 MiB of it, and what it is compared with.
  const std::string command = "cd " + folder.path() +
                              " && ulimit -v 250000 && " SHARDCHECK_BINARY
                              " replay . --json out.json >out.txt";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  const std::string out = folder.read("out.txt");
  EXPECT_NE(out.find("unsupported: the system has no thread for each of 300 ranks\n"),
            std::string::npos)
      << out;
  EXPECT_NE(out.find("3 cases, 0 failed, 1 not run: unsupported, 1 not judged: out of memory\n"),
            std::string::npos)
      << out;
  EXPECT_NE(out.find("\nnot judged: out of memory\n"), std::string::npos) << out;
  const auto report = report_of(folder);
  EXPECT_EQ(report["failed"], 0);
  EXPECT_EQ(report["unsupported"], 1);
  EXPECT_EQ(report["not_judged"], 1);
  EXPECT_EQ(report["exit"], 3);
}

TEST(OutOfMemory, IsToldInWordsAndNoBadUsage) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs its terabytes of addresses";
#endif
  const Folder folder;
  const std::string large = "'matmul mesh=x2 i=4096 j=4096 k=1 A[i/x,k] B[k,j] -> C[i/x,j]'";
  for (const std::string command :
       {"explain", "order", "plan", "minimize", "replay --in-process"}) {
    const std::string shell =
        "cd " + folder.path() + " && ulimit -v " + (command == "plan" ? "20000" : "100000") +
        " && " SHARDCHECK_BINARY " " + command + " " + large + " >out.txt 2>err.txt";
    const int status = std::system(shell.c_str());
    ASSERT_TRUE(WIFEXITED(status)) << command;
    EXPECT_EQ(WEXITSTATUS(status), 3) << command << folder.read("out.txt");
    EXPECT_EQ(folder.read("err.txt"), "shardcheck: out of memory\n") << command;
  }
}

}  // namespace
}  // namespace shardcheck::tools
