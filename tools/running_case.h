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

/// One thread. Overwrites the file in place: a system call a case.
class RunningCaseFile {
 public:
  explicit RunningCaseFile(const std::string& path);
  RunningCaseFile(const RunningCaseFile&) = delete;
  RunningCaseFile& operator=(const RunningCaseFile&) = delete;
  ~RunningCaseFile();

  /// `what`: which case it is, e.g. "case 7 of seed 1".
  void write(std::string_view what, std::string_view line);

 private:
  int descriptor_ = -1;
  std::size_t longest_ = 0;
  std::string text_;
};

std::string running_case_path(const std::string& folder, std::int64_t pid);

/// The case line in such a file; nothing if there is none.
std::optional<std::string> read_running_case(const std::string& path);

}  // namespace shardcheck::tools
