#include "report_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
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
  }
}

bool ReportFile::replace(const std::string& text) {
  struct stat about {};
  if (::fstat(::fileno(file_.get()), &about) == 0 && !S_ISREG(about.st_mode)) {
    // A terminal or a pipe has nothing to be replaced.
    return std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() &&
           std::fflush(file_.get()) == 0;
  }
  const std::string unfinished = fmt::format("{}.{}.unfinished", path_, ::getpid());
  const std::unique_ptr<std::FILE, Close> file(std::fopen(unfinished.c_str(), "w"));
  const bool is_written =
      file && std::fwrite(text.data(), 1, text.size(), file.get()) == text.size() &&
      std::fflush(file.get()) == 0 && std::rename(unfinished.c_str(), path_.c_str()) == 0;
  if (!is_written) ::unlink(unfinished.c_str());
  return is_written;
}

bool ReportFile::write(const std::string& text) {
  if (!file_ || replace(text)) return true;
  fmt::print(stderr, "shardcheck: {}: '{}' was not written\n", option_, path_);
  return false;
}

void ReportFile::write_so_far(const std::string& text) {
  struct stat about {};
  const bool is_file =
      file_ && ::fstat(::fileno(file_.get()), &about) == 0 && S_ISREG(about.st_mode);
  if (is_file) replace(text);
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
