// A checker that can't fail checks nothing: with a planted mistake a run must end with 1, name the
// invariant, and leave a small case that fails with the mistake and passes without.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "command.h"

namespace shardcheck::tools {
namespace {

struct Canary {
  std::string fault;
  std::string signature;        ///< of the failure that must be among those found
  std::string kind = "matmul";  ///< of the cases that are run
};

const std::vector<Canary> canaries = {
    {"last_k_dropped", "coverage/k_missing"},
    {"result_shards_swapped", "ownership/wrong_elements"},
    {"one_ulp_added", "value/one_ulp"},
    {"receive_added_to_ledger", "ledger/received_counted"},
    {"element_written_outside", "memory/written_outside"},
    {"rank_never_sends", "liveness/deadlock"},
    {"one_ulp_added", "value/one_ulp", "collective"},
};

/// The number after `key=` in a case line, 2^63 where there is none.
std::int64_t size_in(const std::string& line, const std::string& key) {
  const std::size_t at = line.find(" " + key + "=");
  return at == std::string::npos ? INT64_MAX : std::stoll(line.substr(at + key.size() + 2));
}

TEST(Canary, IsFoundMinimisedAndReplayed) {
  for (const Canary& canary : canaries) {
    const Folder folder;
    const Output run = run_command(folder, {"run", "--cases", "256", "--fault", canary.fault,
                                            "--only", "kind=" + canary.kind, "--json", "run.json"});
    EXPECT_EQ(run.exit_code, 1) << canary.fault << run.out;
    const auto report = nlohmann::json::parse(folder.read("run.json"));
    const auto& failures = report["failures"];
    const auto found = std::find_if(failures.begin(), failures.end(), [&](const auto& failure) {
      return failure["signature"] == canary.signature;
    });
    ASSERT_NE(found, failures.end()) << canary.fault << run.out;
    EXPECT_EQ((*found)["minimised"], true) << canary.fault;
    const std::string line = (*found)["case"];
    // One rank needs no mesh.
    const bool is_meshless = line.find(" mesh=") == line.npos;
    EXPECT_TRUE(is_meshless || line.find(" mesh=x1 ") != line.npos ||
                line.find(" mesh=x2 ") != line.npos)
        << line;
    const bool is_product = line.starts_with("matmul ");
    EXPECT_EQ(is_product, canary.kind == "matmul") << line;
    for (const std::string size : {"i", "j", "k"}) {
      EXPECT_LE(size_in(line, is_product ? size : "n"), 2) << line;
    }

    const std::string file = (*found)["file"];
    const Output with = run_command(folder, {"replay", "--fault", canary.fault, file});
    EXPECT_EQ(with.exit_code, 1) << canary.fault << with.out;
    EXPECT_NE(with.out.find(canary.signature), std::string::npos) << with.out;
    const Output without = run_command(folder, {"replay", file});
    EXPECT_EQ(without.exit_code, 0) << canary.fault << without.out;
  }
}

TEST(Canary, IsReplayedAsJson) {
  const Folder folder;
  const std::string line =
      "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter:C/x "
      "data=given A=1,2,3,4 B=5,6,7,8";
  const std::vector<std::string> words = {"replay", line, "--json", "out.json"};
  EXPECT_EQ(run_command(folder, words).exit_code, 0);
  const auto right = nlohmann::json::parse(folder.read("out.json"));
  EXPECT_EQ(right["failed"], 0);
  EXPECT_EQ(right["cases"][0]["status"], "pass");
  EXPECT_EQ(right["cases"][0]["temporaries"][1]["allowed_bytes"], 344);
  EXPECT_LE(right["cases"][0]["temporaries"][1]["peak_bytes"], 344);

  std::vector<std::string> with_fault = words;
  with_fault.insert(with_fault.end(), {"--fault", "staging_buffer_of_fixed_size"});
  EXPECT_EQ(run_command(folder, with_fault).exit_code, 1);
  const auto wrong = nlohmann::json::parse(folder.read("out.json"));
  EXPECT_EQ(wrong["failed"], 1);
  EXPECT_EQ(wrong["cases"][0]["signature"], "ledger/temporary_bytes");
  EXPECT_EQ(wrong["cases"][0]["finding_count"], 2);
  EXPECT_GT(wrong["cases"][0]["temporaries"][0]["peak_bytes"], 1 << 20);
  EXPECT_EQ(run_command(folder, {"replay", line, "--json", "no/such/folder/x"}).exit_code, 2);
}

TEST(Canary, IsCountedOncePerKindOfFailure) {
  const Folder folder;
  const Output run = run_command(folder, {"run", "--cases", "256", "--fault", "last_k_dropped"});
  EXPECT_EQ(run.exit_code, 1);
  const std::vector<std::string> files = folder.files();
  const auto kept = std::count_if(files.begin(), files.end(), [](const std::string& file) {
    return file.starts_with("failures/");
  });
  EXPECT_GE(kept, 1);
  EXPECT_LE(kept, 4) << run.out;
}

/// A canary that can't sing must say so: else it would seem that nobody heard it.
TEST(Canary, AFaultOfTheOtherKindOfCaseIsRefused) {
  const Folder folder;
  const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
    const Output output = run_command(folder, words);
    EXPECT_EQ(output.exit_code, 2) << words[0];
    EXPECT_NE(output.err.find(why), std::string::npos) << output.err;
  };
  refused({"run", "--cases", "10", "--fault", "last_k_dropped", "--only", "kind=collective"},
          "which --only kind=collective leaves out");
  refused({"run", "--cases", "10", "--fault", "root_fixed_at_zero", "--only", "kind=matmul"},
          "which --only kind=matmul leaves out");
  refused({"enumerate", "--ranks", "1", "--sizes", "1", "--fault", "root_fixed_at_zero"},
          "is a mistake in cases of kind=collective");
  refused({"replay", "--fault", "last_k_dropped", "reduce mesh=x4 n=4 root=2"},
          "this is a case of collectives");
  refused(
      {"minimize", "--fault", "root_fixed_at_zero", "matmul i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j]"},
      "this is a case of products");
}

/// Nor is there a sum in which a k could be left out.
TEST(Canary, AFaultThatIsNotFoundEndsWithThree) {
  const Folder folder;
  const Output run = run_command(folder, {"run", "--cases", "20", "--only", "k=0", "--fault",
                                          "last_k_dropped", "--json", "run.json"});
  EXPECT_EQ(run.exit_code, 3) << run.out;
  const std::string missed = "the planted mistake last_k_dropped was not found";
  EXPECT_NE(run.out.find("\n" + missed + "\n"), std::string::npos) << run.out;
  const auto report = nlohmann::json::parse(folder.read("run.json"));
  EXPECT_EQ(report["exit"], 3);
  EXPECT_EQ(report["shortfalls"], nlohmann::json::array({missed}));

  const Output enumerate = run_command(
      folder, {"enumerate", "--ranks", "1", "--sizes", "0", "--fault", "last_k_dropped"});
  EXPECT_EQ(enumerate.exit_code, 3) << enumerate.out;
  const Output found = run_command(folder, {"run", "--cases", "20", "--fault", "last_k_dropped"});
  EXPECT_EQ(found.exit_code, 1) << found.out;
  EXPECT_EQ(found.out.find("was not found"), std::string::npos) << found.out;
}

TEST(Canary, AMistakeThatEitherKindCanMakeIsPlantedInBoth) {
  const Folder folder;
  for (const std::string kind : {"kind=matmul", "kind=collective"}) {
    const Output output =
        run_command(folder, {"run", "--cases", "400", "--fault", "replica_differs", "--only", kind,
                             "--max-failures", "1"});
    EXPECT_EQ(output.exit_code, 1) << output.out;
    EXPECT_NE(output.out.find("replicas_differ"), std::string::npos) << output.out;
  }
}

TEST(Canary, ACaseThatCannotBeMeantIsBadInput) {
  const Folder folder;
  const std::string line = "all_reduce mesh=x4 n=8 op=matrix in=u32";
  for (const std::string command : {"replay", "minimize", "explain", "plan"}) {
    EXPECT_EQ(run_command(folder, {command, line}).exit_code, 2) << command;
  }
}

}  // namespace
}  // namespace shardcheck::tools
