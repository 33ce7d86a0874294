// The worked example of the lesson "Sharded matrix multiplication and result ownership": what
// explain and plan say about it is compared with the lesson's own numbers.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "command.h"

namespace shardcheck::tools {
namespace {

const std::string operands = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> ";
const std::string values = " in=f32 data=given A=1,2,3,4 B=5,6,7,8";

void expect_says(const Output& output, const std::string& text) {
  EXPECT_NE(output.out.find(text), std::string::npos) << "missing: " << text << "\n" << output.out;
}

TEST(Explain, WalksTheWorkedExampleToScatteredRows) {
  const Folder folder;
  const Output output = run_command(folder, {"explain", operands + "C[i/x,j]" + values});
  EXPECT_EQ(output.exit_code, 0);
  expect_says(output, "rank 0   multiplies k 0: [5 6; 15 18]");
  expect_says(output, "rank 1   multiplies k 1: [14 16; 28 32]");
  expect_says(output, "rank 0 → rank 1: [15 18] as f32, 8 bytes");
  expect_says(output, "rank 1 → rank 0: [14 16] as f32, 8 bytes");
  expect_says(output, "[5 6] (rank 0) + [14 16] (rank 1) = [19 22]");
  expect_says(output, "[15 18] (rank 0) + [28 32] (rank 1) = [43 50]");
  expect_says(output, "rank 0   C at i 0, j 0-1 = [19 22]");
  expect_says(output, "rank 1   C at i 1, j 0-1 = [43 50]");
  expect_says(output, "  rank 0         0                   8      8\n");
  expect_says(output, "  rank 1         0                   8      8\n");
  expect_says(output, "\npass\n");
}

TEST(Explain, WalksTheWorkedExampleToReplicas) {
  const Folder folder;
  const Output output = run_command(
      folder, {"explain", operands + "C[i,j] plan=local+reduce_scatter+all_gather" + values});
  EXPECT_EQ(output.exit_code, 0);
  expect_says(output, "rank 0 → rank 1: [19 22] as f32, 8 bytes");
  expect_says(output, "rank 1 → rank 0: [43 50] as f32, 8 bytes");
  expect_says(output, "rank 0   C at i 0-1, j 0-1 = [19 22; 43 50]");
  expect_says(output, "rank 1   C at i 0-1, j 0-1 = [19 22; 43 50]");
  expect_says(output, "  rank 0         0                   8           8     16\n");
  expect_says(output, "  all ranks      0                  16          16     32\n");
}

TEST(Explain, SaysWhatAScheduleDoes) {
  const Folder folder;
  const std::string ring = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k,j/x] -> C[i,j/x] plan=";
  const std::string grid =
      "matmul mesh=x2,y2 i=2 j=2 k=2 A[i/x,k/y] B[k/x,j/y] -> C[i/x,j/y] plan=";
  const std::vector<std::pair<std::string, std::string>> meanings = {
      {ring + "gather_local:A/x", "a ring over x: each rank multiplies the part of A that it has"},
      {operands + "C[i/x,j] plan=local_scatter:C/x",
       "a ring over x: each rank multiplies the block that is due and adds what arrived for it"},
      {grid + "summa:x/y", "SUMMA: panel by panel, A's go over y and B's over x"},
      {grid + "cannon:x/y", "Cannon: blocks are skewed"}};
  for (const auto& [line, meaning] : meanings) {
    const Output output = run_command(folder, {"explain", line + values});
    EXPECT_EQ(output.exit_code, 0) << line;
    expect_says(output, meaning);
    expect_says(output, "\npass\n");
    expect_says(run_command(folder, {"plan", line + values}), meaning);
  }
  // Rank 1 starts with its own part, and k = 1 comes first.
  expect_says(run_command(folder, {"explain", ring + "gather_local:A/x" + values}),
              "rank 1   multiplies k 1,0: [22; 50] at i 0-1, j 1");
  // The ring's two sums, as those of a reduce-scatter.
  expect_says(
      run_command(folder, {"explain", operands + "C[i/x,j] plan=local_scatter:C/x" + values}),
      "[15 18] (rank 0) + [28 32] (rank 1) = [43 50]");
}

TEST(Explain, TakesAnyCase) {
  const Folder folder;
  const std::vector<std::string> lines = {
      "matmul mesh=x1 i=0 j=0 k=0 A[i,k] B[k,j] -> C[i,j]",
      "matmul mesh=x3 i=2 j=1 k=1 A[i,k/x] B[k/x,j] -> C[i/x,j] in=bf16 data=rounding:3",
      "matmul mesh=x2,y2 i=5 j=3 k=7 A[i/y,k/x] B[k/x,j/y] -> C[i/x/y,j] in=i8",
      "matmul mesh=x2 i=2 j=2 k=4 A[i,k/x] B[k/x,j] -> C[i,j]+x",
      "matmul mesh=x4 i=3 j=2 k=6 split.A.k=sets:0,3|5|1,2,4| A[i,k/x] B[k,j] -> C[i,j]",
      "matmul mesh=x16 i=40 j=40 k=40 A[i,k/x] B[k/x,j] -> C[i,j]",
  };
  for (const std::string& line : lines) {
    const Output output = run_command(folder, {"explain", line});
    EXPECT_EQ(output.exit_code, 0) << line << output.err << output.out;
    expect_says(output, "The verdict");
    EXPECT_EQ(output.err, "");
    EXPECT_LT(std::count(output.out.begin(), output.out.end(), '\n'), 200) << line;
  }
}

TEST(Explain, ShowsMessagesAndSumsOfCollectives) {
  const Folder folder;
  // 53 + 84 and -82 - 85; a vector of two f32 has 8 bytes.
  const std::string line = "reduce+broadcast mesh=x2 n=2 root=1";
  const Output output = run_command(folder, {"explain", line});
  EXPECT_EQ(output.exit_code, 0);
  expect_says(output, "  rank 0: positions 0-1: [53 -82]\n  rank 1: positions 0-1: [84 -85]\n");
  expect_says(output,
              "\nCall 0: reduce by binomial\n  rank 0 → rank 1: [53 -82] as f32, 8 bytes\n");
  expect_says(output,
              "\nCall 1: broadcast by binomial\n  rank 1 → rank 0: [137 -167] as f32, 8 bytes\n");
  const std::string sum = ": coordinates 0-1: [53 -82] (rank 0) + [84 -85] (rank 1) = [137 -167]\n";
  expect_says(output, "\nWhat each rank ended with\n  rank 0" + sum + "  rank 1" + sum);
  expect_says(output, "\nTemporary bytes at the peak, beyond input and output\n  rank 0   ");
}

TEST(Explain, ShowsWhatCollectivesMoveAndOtherOperators) {
  const Folder folder;
  const Output moved =
      run_command(folder, {"explain", "all_to_all mesh=x3 counts=1,0,2|0,0,3|4,1,1 in=bf16"});
  expect_says(moved, "  rank 1 → rank 2: [84 -85 48] as bf16, 6 bytes\n");
  expect_says(moved,
              "\nWhat each rank ended with\n  rank 0: coordinates 0,6-9: [53 69 -96 -75 -48]\n");
  const Output greatest =
      run_command(folder, {"explain", "all_reduce mesh=x2,y2 over=y n=1 op=max"});
  expect_says(greatest, "  rank 0 (member 0 of group 0): positions 0: [27]\n");
  expect_says(greatest, "  rank 0 (member 0 of group 0): coordinates 0: max of [27] (rank 0), [");
  const Output alone = run_command(folder, {"explain", "all_gather mesh=x1 n=2"});
  expect_says(alone, "\nCall 0: all_gather by ring\n  nothing is sent\n");
}

TEST(Explain, ShowsWhatAFaultyCollectiveDid) {
  const Folder folder;
  const Output taken = run_command(
      folder, {"explain", "reduce mesh=x2 n=2 root=1", "--fault", "root_fixed_at_zero"});
  EXPECT_EQ(taken.exit_code, 1);
  expect_says(taken,
              "\nWhat each rank ended with\n  rank 0: coordinates 0-1: [137 -167]\n"
              "  rank 1: coordinates none: []\n");
  const Output lost = run_command(
      folder, {"explain", "all_to_all mesh=x2 counts=1,0|1,1", "--fault", "empty_block_throws"});
  EXPECT_EQ(lost.exit_code, 1);
  expect_says(lost, "\nWhat each rank ended with\n  the run didn't finish\n");
}

TEST(Explain, ShowsTemporaryBytesBesideTheirBound) {
  const Folder folder;
  const Output output = run_command(folder, {"explain", operands + "C[i/x,j]" + values});
  // 28 elements touched, three times over at 4 bytes, and 8 bytes sent: model/temporaries_test.cpp.
  expect_says(output, "\nTemporary bytes at the peak, beyond inputs and output\n  rank 0   ");
  expect_says(output, " of at most 344\n  rank 1   ");
}

TEST(Explain, ShowsAPlantedMistake) {
  const Folder folder;
  const Output output =
      run_command(folder, {"explain", operands + "C[i/x,j]" + values, "--fault", "last_k_dropped"});
  EXPECT_EQ(output.exit_code, 1);
  expect_says(output, "coverage/k_missing");
  expect_says(output, "\n  replay  shardcheck replay --fault last_k_dropped '" + operands);
}

TEST(Explain, SaysHowToReplayTheCase) {
  const Folder folder;
  const std::string line = "all_gather mesh=x2 n=2";
  const Output output = run_command(folder, {"explain", line});
  expect_says(output, "\n  replay  shardcheck replay '" + line);
}

TEST(Plan, SaysOwnersAndBytesOfEachStep) {
  const Folder folder;
  const Output output = run_command(
      folder, {"plan", operands + "C[i,j] plan=local+reduce_scatter+all_gather" + values});
  EXPECT_EQ(output.exit_code, 0);
  expect_says(output, "Plan: local+reduce_scatter:C/x+gather:C/x\n");
  expect_says(output, "rank 1   A i 0-1, k 1; B k 1, j 0-1");
  expect_says(output, "rank 1   C i 0-1, j 0-1, partial over x");
  expect_says(output, "Step 2: reduce_scatter:C/x, 16 bytes");
  expect_says(output, "rank 1   C i 1, j 0-1\n");
  expect_says(output, "Total: 32 bytes sent, 16 by the busiest rank.");
}

TEST(Plan, ShowsTheLowerBoundWhereItHoldsAlone) {
  const Folder folder;
  const auto plan_of = [&](const std::string& line) {
    return run_command(folder, {"plan", "matmul " + line}).out;
  };
  const std::string bound = "Lower bound, in elements: ";
  EXPECT_NE(plan_of("mesh=x4 i=8 j=8 k=80 A[i,k/x] B[k/x,j] -> C[i/x,j]").find(bound + "48 at"),
            std::string::npos);
  for (const std::string line :
       {"mesh=x4 i=8 j=8 k=8 A[i/x,k] B[k,j] -> C[i/x,j]",     // B is replicated
        "mesh=x4 i=8 j=8 k=80 A[i,k/x] B[k/x,j] -> C[i,j]",    // C is
        "mesh=x4 i=9 j=8 k=80 A[i,k/x] B[k/x,j] -> C[i/x,j]",  // 4 doesn't divide 9
        "mesh=x2 i=8 j=8 k=8 split.k=sizes:1,7 A[i,k/x] B[k/x,j] -> C[i/x,j]",
        "mesh=x2 i=8 j=8 k=8 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+all_reduce:C/x+slice:C/x"}) {
    const std::string text = plan_of(line);
    EXPECT_NE(text.find("\nTotal: "), std::string::npos) << line << text;
    EXPECT_EQ(text.find("bound"), std::string::npos) << line << text;
  }
}

TEST(List, NamesWhatACaseMayHold) {
  const Folder folder;
  const Output output = run_command(folder, {"list"});
  EXPECT_EQ(output.exit_code, 0);
  for (const std::string word : {"f8e4m3fn", "ring", "probe", "coverage", "any_order",
                                 "last_k_dropped", "every rank count"}) {
    expect_says(output, word);
  }
}

TEST(Help, OfEverySubCommandHasExamplesAndExitCodes) {
  const Folder folder;
  EXPECT_EQ(run_command(folder, {"--version"}).out.substr(0, 11), "shardcheck ");
  for (const std::string command :
       {"run", "enumerate", "minimize", "replay", "explain", "plan", "order", "list"}) {
    const Output output = run_command(folder, {command, "--help"});
    EXPECT_EQ(output.exit_code, 0);
    expect_says(output, "Examples\n  shardcheck " + command);
    const std::size_t table = output.out.find("\nExit codes\n  0  ");
    EXPECT_NE(table, std::string::npos) << output.out;
    EXPECT_EQ(output.out.find("Exit codes", table + 2), std::string::npos) << output.out;
    const bool draws = command == "run" || command == "enumerate";
    // What takes cases may have too little memory for one.
    EXPECT_EQ(output.out.find("\n  3  ") != std::string::npos, command != "list") << output.out;
    EXPECT_EQ(output.out.find("\n  130  ") != std::string::npos, draws || command == "minimize")
        << output.out;
    const bool takes_a_folder = output.out.find("a folder of them") != std::string::npos;
    EXPECT_EQ(takes_a_folder, command == "replay") << output.out;
  }
}

}  // namespace
}  // namespace shardcheck::tools
