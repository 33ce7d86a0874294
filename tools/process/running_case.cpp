#include "running_case.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <new>
#include <utility>

#include <fmt/format.h>

namespace shardcheck::tools {
namespace {

/// A process that is killed in the middle of a write leaves whole pages.
constexpr std::size_t page_bytes = 4096;

std::string unfinished_path(const std::string& path) { return path + ".unfinished"; }

}  // namespace

CaseAtWork* share_case_at_work() {
  void* const memory = ::mmap(nullptr, sizeof(CaseAtWork), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) CaseAtWork;
}

void unshare(CaseAtWork* shared) {
  if (shared != nullptr) ::munmap(shared, sizeof(CaseAtWork));
}

RunningCaseFile::RunningCaseFile(std::string path) : path_(std::move(path)) {}

RunningCaseFile::~RunningCaseFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RunningCaseFile::write(std::string_view what, std::string_view line) {
  text_.clear();
  fmt::format_to(std::back_inserter(text_), "# at work: {}\n{}\n", what, line);
  const bool is_within_a_page = std::max(text_.size(), longest_) <= page_bytes;
  if (descriptor_ >= 0 && is_within_a_page ? overwrite() : replace()) return;
  // The supervisor then has no case to show, which is better than an earlier one.
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  remove_running_case(path_);
}

bool RunningCaseFile::overwrite() {
  // Empty lines cover the rest of a longer case, which is cheaper than to cut the file.
  if (text_.size() < longest_) text_.append(longest_ - text_.size(), '\n');
  longest_ = text_.size();
  return ::pwrite(descriptor_, text_.data(), text_.size(), 0) == std::ssize(text_);
}

bool RunningCaseFile::replace() {
  if (descriptor_ >= 0) ::close(descriptor_);
  const std::string unfinished = unfinished_path(path_);
  descriptor_ = ::open(unfinished.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  longest_ = 0;
  return descriptor_ >= 0 && overwrite() && std::rename(unfinished.c_str(), path_.c_str()) == 0;
}

std::string running_case_path(const std::string& folder, std::int64_t pid) {
  return fmt::format("{}/running-{}.case", folder, pid);
}

void remove_running_case(const std::string& path) {
  ::unlink(path.c_str());
  ::unlink(unfinished_path(path).c_str());
}

std::optional<std::string> read_running_case(const std::string& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') return line;
  }
  return std::nullopt;
}

}  // namespace shardcheck::tools
