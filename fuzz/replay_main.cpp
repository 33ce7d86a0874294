// Runs a target on files, without a fuzzing engine: any compiler builds it, and ctest runs it over
// the seeds. A folder stands for the files in it, but README.md.
//
//     fuzz_matmul_replay crash-0f31… corpus/seeds
//
// Exits with 1 if a file fails, 2 if one can't be read or isn't an input for this target.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "target.h"

namespace {

using shardcheck::fuzz::Outcome;

struct Count {
  int passed = 0;
  int not_taken = 0;
  int failed = 0;
  int unreadable = 0;
};

void complain(const std::string& path, const std::string& what) {
  std::fprintf(stderr, "%s: %s\n", path.c_str(), what.c_str());
}

std::vector<std::string> files_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path, error)) {
    if (entry.is_regular_file() && entry.path().filename() != "README.md") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void replay(const std::string& path, Count& count) {
  std::ifstream file(path, std::ios::binary);
  const std::string input((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::optional<std::string> unreadable;
  if (!file) {
    unreadable = "found nothing to read, expected a file";
  } else {
    unreadable = shardcheck::fuzz::why_unreadable(input);
  }
  if (unreadable) {
    complain(path, *unreadable);
    ++count.unreadable;
    return;
  }
  const Outcome outcome = shardcheck::fuzz::run(input);
  switch (outcome.kind) {
    case Outcome::Kind::passed: ++count.passed; break;
    case Outcome::Kind::not_taken:
      complain(path, "not run: " + outcome.report);
      ++count.not_taken;
      break;
    case Outcome::Kind::failed:
      complain(path, "FAILED\n" + outcome.report);
      ++count.failed;
      break;
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  Count count;
  for (int index = 1; index < argument_count; ++index) {
    const std::vector<std::string> files = files_of(arguments[index]);
    if (files.empty()) {
      complain(arguments[index], "found no file, expected at least one");
      ++count.unreadable;
    }
    for (const std::string& file : files) replay(file, count);
  }
  std::printf("%d passed, %d failed, %d not run, %d unreadable\n", count.passed, count.failed,
              count.not_taken, count.unreadable);
  if (count.unreadable > 0) return 2;
  if (count.failed > 0) return 1;
  // Nothing run shows nothing.
  return count.passed > 0 ? 0 : 2;
}
