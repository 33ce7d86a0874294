// Runs: the same answer however the cases are split, exit codes that tell, and what is left when a
// worker dies or falls silent.

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.h"

namespace shardcheck::tools {
namespace {

std::string without_timing(const std::string& text) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(text);
  EXPECT_TRUE(json.contains("timing"));
  json.erase("timing");
  return json.dump();
}

/// The first file below the folder whose name has this in it; empty if none comes in 20 seconds.
std::string wait_for_file(const Folder& folder, const std::string& part) {
  for (int attempt = 0; attempt < 2000; ++attempt) {
    for (const std::string& file : folder.files()) {
      if (file.find(part) != std::string::npos) return file;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return "";
}

/// failures/running-PID.case
pid_t worker_of(const std::string& file) {
  return static_cast<pid_t>(std::stol(file.substr(file.find("running-") + 8)));
}

bool has_file(const Folder& folder, const std::string& part) {
  const std::vector<std::string> files = folder.files();
  return std::any_of(files.begin(), files.end(),
                     [&](const std::string& file) { return file.find(part) != std::string::npos; });
}

TEST(Run, SaysTheSameHoweverTheCasesAreSplit) {
  const Folder folder;
  const std::vector<std::string> common = {"run", "--cases", "700", "--seed", "11"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return run_command(folder, more);
  };
  EXPECT_EQ(with({"--json", "one.json", "--report", "one.xml"}).exit_code, 0);
  EXPECT_EQ(with({"--json", "two.json", "--jobs", "2"}).exit_code, 0);
  EXPECT_EQ(without_timing(folder.read("one.json")), without_timing(folder.read("two.json")));
  EXPECT_EQ(nlohmann::json::parse(folder.read("one.json"))["cases"], 700);
  EXPECT_NE(folder.read("one.xml").find("<testsuites name=\"shardcheck run, 700 cases, seed 11\""),
            std::string::npos);
  EXPECT_FALSE(has_file(folder, "failures/"));
}

TEST(Run, SaysTheSameOfFailuresHoweverTheCasesAreSplit) {
  const Folder folder;
  const std::vector<std::string> common = {"run",     "--cases",        "130",
                                           "--fault", "last_k_dropped", "--json"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return run_command(folder, more);
  };
  EXPECT_EQ(with({"one.json"}).exit_code, 1);
  EXPECT_EQ(with({"two.json", "--jobs", "2"}).exit_code, 1);
  EXPECT_EQ(without_timing(folder.read("one.json")), without_timing(folder.read("two.json")));
}

TEST(Run, IsQuietOnStandardErrorWhenThatIsNoTerminal) {
  const Folder folder;
  const Output output = run_command(folder, {"run", "--cases", "200"});
  EXPECT_EQ(output.err, "");
  EXPECT_NE(output.out.find("200 cases of the backend sharded in "), std::string::npos)
      << output.out;
}

TEST(Run, ThatRanNothingOrMissedAGoalEndsWithThree) {
  const Folder folder;
  EXPECT_EQ(run_command(folder, {"run", "--cases", "0"}).exit_code, 3);
  // A run of nothing but empty results has shown nothing about values.
  const Output output = run_command(folder, {"run", "--cases", "1000", "--only", "i=0"});
  EXPECT_EQ(output.exit_code, 3) << output.out;
  EXPECT_NE(output.out.find("UNMET value seen: 0 of"), std::string::npos) << output.out;
}

TEST(Run, KeepsToItsTime) {
  const Folder folder;
  const Output output = run_command(folder, {"run", "--cases", "100000000", "--time", "0.5"});
  EXPECT_LT(output.seconds, 30.0);
  EXPECT_NE(output.out.find("stopped early: the time is over"), std::string::npos);
}

TEST(Run, EndsWellWhenInterrupted) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Folder folder;
    const pid_t pid = start_command(
        folder, {"run", "--cases", "100000000", "--json", "run.json", "--report", "run.xml"});
    ASSERT_NE(wait_for_file(folder, "running-"), "");
    ::kill(pid, signal);
    const Output output = finish(folder, pid);
    EXPECT_EQ(output.exit_code, 130);
    EXPECT_NE(output.out.find("stopped early: interrupted"), std::string::npos) << output.out;
    const auto report = nlohmann::json::parse(folder.read("run.json"));
    EXPECT_EQ(report["stopped"], "interrupted");
    EXPECT_EQ(report["exit"], 130);
    EXPECT_NE(folder.read("run.xml").find("</testsuites>"), std::string::npos);
    EXPECT_FALSE(has_file(folder, "running-"));
  }
}

TEST(Run, InterruptedWhileItMinimisesKeepsWhatItFound) {
  const Folder folder;
  const pid_t pid =
      start_command(folder, {"run", "--cases", "1000", "--fault", "loop_runs_past_its_end",
                             "--case-timeout", "2", "--json", "run.json"});
  // From then on the case hangs for two seconds more, and one after the other of those behind it.
  const std::string kept = wait_for_file(folder, "liveness-timeout");
  ASSERT_NE(kept, "");
  ::kill(pid, SIGINT);
  const auto start = std::chrono::steady_clock::now();
  const Output output = finish(folder, pid);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_EQ(output.exit_code, 130) << output.out;
  EXPECT_NE(output.out.find("FAILED liveness/timeout"), std::string::npos) << output.out;
  EXPECT_EQ(output.out.find("not seen again"), std::string::npos) << output.out;
  const auto report = nlohmann::json::parse(folder.read("run.json"));
  ASSERT_EQ(report["failures"].size(), 1U);
  EXPECT_EQ(report["failures"][0]["reproduced"], true);
  EXPECT_EQ(report["failures"][0]["minimised"], false);
  EXPECT_NE(folder.read(kept).find(" mesh="), std::string::npos);
}

TEST(Run, WhoseTimeIsOverStillTellsWhatItMet) {
  const Folder folder;
  // The time is over when the first case that aborts is met; those before it, whose results died
  // with it, run again, those behind it don't.
  const Output output =
      run_command(folder, {"run", "--cases", "1000", "--time", "0", "--seed", "2", "--fault",
                           "empty_shard_aborts", "--json", "run.json"});
  EXPECT_EQ(output.exit_code, 1) << output.out;
  const auto report = nlohmann::json::parse(folder.read("run.json"));
  ASSERT_EQ(report["failures"].size(), 1U);
  EXPECT_EQ(report["failures"][0]["signature"], "liveness/crash");
  EXPECT_GE(report["failures"][0]["first"], 1);
  EXPECT_EQ(report["cases"], report["failures"][0]["first"].get<int>() + 1);
}

TEST(Run, CountsApartWhatThereIsNoMemoryToJudge) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer needs its terabytes of addresses";
#endif
  const Folder folder;
  // C alone has 2^24 elements on each of two ranks: 128 MiB at least.
  const std::string command = "cd " + folder.path() +
                              " && ulimit -v 100000 && " SHARDCHECK_BINARY
                              " run --cases 2 --only i=4096 --only j=4096 --only k=1 --only mesh=x2"
                              " --only in=f32 --run fibers --json run.json >out.txt 2>err.txt";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  const std::string out = folder.read("out.txt");
  EXPECT_NE(out.find("\nNOT JUDGED, out of memory (2 cases)\n  first: case 0: matmul "),
            std::string::npos)
      << out;
  EXPECT_NE(out.find(": no failure\n"), std::string::npos) << out;
  EXPECT_EQ(folder.read("err.txt"), "");
  const auto report = nlohmann::json::parse(folder.read("run.json"));
  EXPECT_EQ(report["not_judged"], 2);
  EXPECT_EQ(report["verdicts"]["statuses"]["pass"], 0);
  EXPECT_EQ(report["failures"].size(), 0U);
}

TEST(Run, KeepsTheCaseOfAWorkerThatIsKilledAndGoesOn) {
  const Folder folder;
  const pid_t pid = start_command(folder, {"run", "--cases", "100000000"});
  // A worker may die while it draws a case, before there is one to keep: then another one dies.
  for (int attempt = 0; attempt < 50 && !has_file(folder, "liveness-crash"); ++attempt) {
    const std::string running = wait_for_file(folder, "running-");
    ASSERT_NE(running, "");
    ::kill(worker_of(running), SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  EXPECT_TRUE(has_file(folder, "liveness-crash"));
  EXPECT_NE(wait_for_file(folder, "running-"), "");
  ::kill(pid, SIGINT);
  const Output output = finish(folder, pid);
  EXPECT_EQ(output.exit_code, 130) << output.out;
  EXPECT_NE(output.out.find("got signal 9 (Killed)"), std::string::npos) << output.out;
}

TEST(Run, LeavesTheCaseAtWorkOnDiskWhenAllOfItIsKilled) {
  const Folder folder;
  const pid_t pid = start_command(folder, {"run", "--cases", "100000000"});
  ASSERT_NE(wait_for_file(folder, "running-"), "");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ::kill(pid, SIGKILL);
  EXPECT_EQ(finish(folder, pid).exit_code, 1000 + SIGKILL);
  const std::string running = wait_for_file(folder, "running-");
  EXPECT_NE(folder.read(running).find(" mesh="), std::string::npos);
  EXPECT_EQ(run_command(folder, {"replay", running}).exit_code, 0);
}

TEST(Run, LeavesItsReportSoFarOnDiskWhenAllOfItIsKilled) {
  const Folder folder;
  const pid_t pid = start_command(
      folder, {"run", "--cases", "100000000", "--json", "run.json", "--fault", "last_k_dropped"});
  for (int attempt = 0; attempt < 2000 && folder.read("run.json").empty(); ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::kill(pid, SIGKILL);
  finish(folder, pid);
  const auto report = nlohmann::json::parse(folder.read("run.json"));
  EXPECT_EQ(report["stopped"], "not finished");
  EXPECT_GT(report["cases"], 100);
  // How many different ones so far is a matter of time.
  ASSERT_GE(report["failures"].size(), 1U);
  const std::string file = report["failures"][0]["file"];
  EXPECT_EQ(run_command(folder, {"replay", "--fault", "last_k_dropped", file}).exit_code, 1);
}

TEST(Run, CountsFailuresThatMinimiseAlikeOnceBeforeItStops) {
  const Folder folder;
  // With any reduction and with none, by any algorithm: at first sight several, in the end one.
  const Output output = run_command(folder, {"run", "--cases", "300", "--seed", "2", "--fault",
                                             "last_k_dropped", "--max-failures", "2"});
  EXPECT_EQ(output.exit_code, 1);
  EXPECT_NE(output.out.find("300 cases of "), std::string::npos) << output.out;
  EXPECT_NE(output.out.find("1 different failure\n"), std::string::npos) << output.out;
  const Output first = run_command(folder, {"run", "--cases", "300", "--seed", "2", "--fault",
                                            "last_k_dropped", "--max-failures", "1"});
  EXPECT_NE(first.out.find("stopped early: 1 different failure\n"), std::string::npos) << first.out;
}

TEST(Run, TurnsSilenceIntoATimeout) {
  const Folder folder;
  const pid_t pid = start_command(folder, {"run", "--cases", "100000000", "--case-timeout", "0.3"});
  // As above: a worker that falls silent while it draws a case has none to keep.
  for (int attempt = 0; attempt < 20 && !has_file(folder, "liveness-timeout"); ++attempt) {
    const std::string running = wait_for_file(folder, "running-");
    ASSERT_NE(running, "");
    ::kill(worker_of(running), SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  }
  const std::string kept = wait_for_file(folder, "liveness-timeout");
  EXPECT_NE(kept, "");
  ::kill(pid, SIGINT);
  const Output output = finish(folder, pid);
  EXPECT_EQ(output.exit_code, 130) << output.out;
  EXPECT_NE(folder.read(kept).find("# timeout liveness/timeout"), std::string::npos);
}

}  // namespace
}  // namespace shardcheck::tools
