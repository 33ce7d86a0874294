#pragma once

/// For tests: every file of a folder of the corpus, read and run. SHARDCHECK_CORPUS_FOLDER comes
/// from CMakeLists.txt.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>

#include "corpus.h"

namespace shardcheck {

inline std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename() != "README.md") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Every file of the folder is read and is as known; one that can't be read is a failure.
inline void expect_known(const std::string& folder, std::size_t files_min) {
  const auto files = files_in(std::string(SHARDCHECK_CORPUS_FOLDER) + "/" + folder);
  EXPECT_GE(files.size(), files_min) << folder;
  impl::ShardedBackend backend;
  for (const std::string& path : files) {
    const auto file = read_corpus_file(path);
    if (!file) {
      ADD_FAILURE() << print(file.error());
      continue;
    }
    for (const std::string& mismatch : check_known(*file, backend)) {
      ADD_FAILURE() << path << ": " << mismatch;
    }
  }
}

}  // namespace shardcheck
