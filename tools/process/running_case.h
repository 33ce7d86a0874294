#pragma once

/// The case that a worker runs, kept on disk from before it starts: whatever happens to the
/// process, failures/running-<pid>.case says what it was doing.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace shardcheck::tools {

/// Shared by a worker and its supervisor, so that the supervisor sees which case is at work and
/// whether there is progress.
struct CaseAtWork {
  std::atomic<std::int64_t> number{-1};
  std::atomic<bool> is_written{false};  ///< the file holds this case; before: it is being drawn
};

/// Nothing if the memory can't be had.
CaseAtWork* share_case_at_work();
void unshare(CaseAtWork* shared);

/// One thread. There is no file before the first case, and never one that holds less than a case: a
/// case within a page overwrites the one before it in place, a system call a case; the first and
/// those that are longer get a new file, renamed once it is whole. What can't be written leaves no
/// file.
class RunningCaseFile {
 public:
  explicit RunningCaseFile(std::string path);
  RunningCaseFile(const RunningCaseFile&) = delete;
  RunningCaseFile& operator=(const RunningCaseFile&) = delete;
  ~RunningCaseFile();

  /// `what`: which case it is, e.g. "case 7 of seed 1".
  void write(std::string_view what, std::string_view line);

 private:
  bool replace();
  bool overwrite();

  std::string path_;
  int descriptor_ = -1;
  std::size_t longest_ = 0;
  std::string text_;
};

std::string running_case_path(const std::string& folder, std::int64_t pid);

/// Removes it, and what its process left unfinished.
void remove_running_case(const std::string& path);

/// The case line in such a file; nothing if there is none.
std::optional<std::string> read_running_case(const std::string& path);

}  // namespace shardcheck::tools
