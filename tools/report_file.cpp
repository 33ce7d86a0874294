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
  file_.reset(std::fopen(path_.c_str(), "w"));
  if (!file_) {
    problem_ = fmt::format("{}: '{}' can't be written: {}", option_, path_, std::strerror(errno));
  }
}

bool ReportFile::write(const std::string& text) {
  if (!file_) return true;
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size() &&
                          std::fflush(file_.get()) == 0;
  if (!is_written) fmt::print(stderr, "shardcheck: {}: '{}' was not written\n", option_, path_);
  return is_written;
}

std::string prepare_failures_dir(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0 || (errno == EEXIST && ::access(path.c_str(), W_OK) == 0)) {
    return "";
  }
  return fmt::format("--failures: '{}' can't be written to: {}", path, std::strerror(errno));
}

}  // namespace shardcheck::tools
