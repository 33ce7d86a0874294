#include "running_case.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <new>

#include <fmt/format.h>

namespace shardcheck::tools {

CaseAtWork* share_case_at_work() {
  void* const memory = ::mmap(nullptr, sizeof(CaseAtWork), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) CaseAtWork;
}

void unshare(CaseAtWork* shared) {
  if (shared != nullptr) ::munmap(shared, sizeof(CaseAtWork));
}

RunningCaseFile::RunningCaseFile(const std::string& path)
    : descriptor_(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644)) {}

RunningCaseFile::~RunningCaseFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RunningCaseFile::write(std::string_view what, std::string_view line) {
  text_.clear();
  fmt::format_to(std::back_inserter(text_), "# at work: {}\n{}\n", what, line);
  // Empty lines cover the rest of a longer case, which is cheaper than to cut the file.
  if (text_.size() < longest_) text_.append(longest_ - text_.size(), '\n');
  longest_ = text_.size();
  // What can't be written is seen by the supervisor, which then has no case to show.
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor_, text_.data(), text_.size(), 0);
}

std::string running_case_path(const std::string& folder, std::int64_t pid) {
  return fmt::format("{}/running-{}.case", folder, pid);
}

std::optional<std::string> read_running_case(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') return line;
  }
  return std::nullopt;
}

}  // namespace shardcheck::tools
