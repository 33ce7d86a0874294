#include "running_case.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <shardcheck/tools/e2e_test/command.h>

namespace shardcheck::tools {
namespace {

TEST(RunningCase, HasNoFileBeforeThereIsACase) {
  const Folder folder;
  RunningCaseFile file(folder.file("a.case"));
  EXPECT_TRUE(folder.files().empty());
  file.write("case 0 of seed 1", "matmul");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"a.case"});
  EXPECT_EQ(folder.read("a.case"), "# at work: case 0 of seed 1\nmatmul\n");
}

TEST(RunningCase, IsTheLastOneAloneWhateverItsLengthAndThatOfTheOneBefore) {
  const Folder folder;
  RunningCaseFile file(folder.file("a.case"));
  for (const std::size_t length : {10U, 1000U, 7U, 4096U, 100000U, 50000U, 3U, 2U, 99U}) {
    const std::string line(length, 'm');
    file.write("a case", line);
    EXPECT_EQ(read_running_case(folder.file("a.case")), line);
    const std::string text = folder.read("a.case");
    EXPECT_EQ(text.find_last_not_of('\n'), text.find(line) + length - 1) << length;
    EXPECT_EQ(folder.files(), std::vector<std::string>{"a.case"});
  }
}

TEST(RunningCase, OfMoreThanAPageIsNeverWrittenInPlace) {
  const Folder folder;
  const std::string path = folder.file("a.case");
  RunningCaseFile file(path);
  file.write("a case", "short");
  // Another name for the same bytes: they stay what they were when the file is replaced.
  ASSERT_EQ(::link(path.c_str(), folder.file("linked").c_str()), 0);
  const std::string before = folder.read("linked");
  file.write("a case", std::string(5000, 'm'));
  EXPECT_EQ(folder.read("linked"), before);
}

TEST(RunningCase, ThatCannotBeWrittenLeavesNoEarlierOne) {
  const Folder folder;
  const std::string path = folder.file("a.case");
  RunningCaseFile file(path);
  file.write("a case", "short");
  // The name of the new file is taken by a folder.
  ASSERT_EQ(::mkdir((path + ".unfinished").c_str(), 0755), 0);
  file.write("a case", std::string(5000, 'm'));
  EXPECT_EQ(read_running_case(path), std::nullopt);
  ASSERT_EQ(::rmdir((path + ".unfinished").c_str()), 0);
  file.write("a case", "short");
  EXPECT_EQ(read_running_case(path), "short");
}

}  // namespace
}  // namespace shardcheck::tools
