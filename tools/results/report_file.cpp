#include "report_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

namespace shardcheck::tools {

ReportFile::ReportFile(std::string option, std::string path)
    : option_(std::move(option)), path_(std::move(path)) {
  if (path_.empty()) return;
  // To append: what stands there stays until something better is on disk.
  file_.reset(std::fopen(path_.c_str(), "a"));
  if (!file_) {
    problem_ = fmt::format("{}: '{}' can't be written: {}", option_, path_, std::strerror(errno));
    return;
  }
  const std::unique_ptr<char, decltype(&std::free)> target(::realpath(path_.c_str(), nullptr),
                                                           &std::free);
  target_ = target ? target.get() : path_;
}

bool ReportFile::is_standard_output() const {
  struct stat about {};
  struct stat output {};
  return ::fstat(::fileno(file_.get()), &about) == 0 && ::fstat(STDOUT_FILENO, &output) == 0 &&
         output.st_dev == about.st_dev && output.st_ino == about.st_ino;
}

/// A terminal or a pipe has nothing to be replaced, and what standard output was sent to must not
/// be taken away from it.
bool ReportFile::is_replaceable() const {
  struct stat about {};
  return file_ && ::fstat(::fileno(file_.get()), &about) == 0 && S_ISREG(about.st_mode) &&
         !is_standard_output();
}

bool ReportFile::is_same_file_as(const ReportFile& other) const {
  return is_replaceable() && other.is_replaceable() && target_ == other.target_;
}

bool ReportFile::replace(const std::string& text) {
  const std::string unfinished = fmt::format("{}.{}.unfinished", target_, ::getpid());
  const std::unique_ptr<std::FILE, Close> file(std::fopen(unfinished.c_str(), "w"));
  const bool is_written =
      file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
      std::fflush(file.get()) == 0 && std::rename(unfinished.c_str(), target_.c_str()) == 0;
  const int why = errno;
  if (!is_written) ::unlink(unfinished.c_str());
  errno = why;
  return is_written;
}

bool ReportFile::append(const std::string& text) {
  std::FILE* const stream = is_standard_output() ? stdout : file_.get();
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
         std::fflush(stream) == 0;
}

bool ReportFile::write(const std::string& text) {
  if (!file_ || (is_replaceable() ? replace(text) : append(text))) return true;
  fmt::print(stderr, "shardcheck: {}: '{}' was not written: {}\n", option_, path_,
             std::strerror(errno));
  return false;
}

void ReportFile::write_so_far(const std::string& text) {
  if (is_replaceable()) replace(text);
}

std::string prepare_failures_dir(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0) return "";
  if (errno == EEXIST) {
    struct stat about {};
    const bool is_folder = ::stat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode);
    if (is_folder && ::access(path.c_str(), W_OK) == 0) return "";
    if (!is_folder) errno = ENOTDIR;
  }
  return fmt::format("--failures: '{}' can't be written to: {}", path, std::strerror(errno));
}

}  // namespace shardcheck::tools
