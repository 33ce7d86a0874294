// scripts/test must not end well when anything in it failed. What takes hours is played by
// stand-ins for cmake and ctest that write down how they were called, and fail where they are told
// to.

#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "command.h"

namespace shardcheck::tools {
namespace {

struct Scripted {
  int exit_code = -1;
  std::string called;  ///< a line a call
};

/// scripts/test with these options; the call that contains `failing` fails. Empty: none does.
Scripted test_script(const std::string& options, const std::string& failing) {
  const Folder folder;
  for (const std::string program : {"cmake", "ctest", "dpkg-query"}) {
    std::string text = "#!/bin/sh\n";
    if (program == "dpkg-query") {
      text += "echo installed\n";
    } else {
      text += "echo " + program + " \"$@\" >>\"$CALLED\"\n";
      if (!failing.empty()) {
        text += "case \"" + program + " $*\" in *'" + failing + "'*) exit 1 ;; esac\n";
      }
    }
    folder.write(program, text);
    ::chmod(folder.file(program).c_str(), 0755);
  }
  const std::string command = "CALLED=" + folder.file("called") + " PATH=" + folder.path() +
                              ":$PATH " SHARDCHECK_SOURCE_DIR "/scripts/test " + options +
                              " >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000, folder.read("called")};
}

TEST(Scripts, TestBuildsAndRunsEachPreset) {
  const Scripted quick = test_script("", "");
  EXPECT_EQ(quick.exit_code, 0);
  EXPECT_EQ(quick.called,
            "cmake --preset release\n"
            "cmake --build --preset release\n"
            "cmake --build --preset release --target all_verify_interface_header_sets\n"
            "ctest --preset release --label-exclude slow --parallel 2\n");
  const Scripted all = test_script("--all", "");
  EXPECT_EQ(all.exit_code, 0);
  for (const std::string preset : {"debug", "clang", "release"}) {
    EXPECT_NE(all.called.find("ctest --preset " + preset + " --label-exclude slow --parallel 2\n"),
              std::string::npos)
        << all.called;
  }
  EXPECT_NE(all.called.find("ctest --preset tsan --label-exclude slow --parallel 2 "
                            "--label-regex ^thread$\n"),
            std::string::npos)
      << all.called;
  EXPECT_NE(test_script("--none", "").exit_code, 0);
}

TEST(Scripts, TestFailsWhereAnyPartOfItFails) {
  for (const std::string preset : {"debug", "clang", "tsan", "release"}) {
    for (const std::string part :
         {"cmake --preset ", "cmake --build --preset ", "ctest --preset "}) {
      const Scripted done = test_script("--all", part + preset);
      EXPECT_NE(done.exit_code, 0) << part << preset;
      // And at once: what failed is then the last that was said.
      const std::string last =
          done.called.substr(done.called.rfind('\n', done.called.size() - 2) + 1);
      EXPECT_EQ(last.find(part + preset), 0U) << done.called;
    }
  }
}

}  // namespace
}  // namespace shardcheck::tools
