#pragma once

/// A file that a command writes its report to at the end, opened before anything runs, so that a
/// long run doesn't end with nowhere to put its result.

#include <cstdio>
#include <memory>
#include <string>

namespace shardcheck::tools {

class ReportFile {
 public:
  /// `option` as the user gave it, for messages. An empty path: no report.
  ReportFile(std::string option, std::string path);

  /// What is wrong with the path, in one line; empty: nothing.
  const std::string& problem() const { return problem_; }
  bool is_wanted() const { return file_ != nullptr; }
  /// Both would be written to one file, of which the last would be left. Different names don't
  /// help; what isn't replaced, as /dev/null, may take both.
  bool is_same_file_as(const ReportFile& other) const;

  /// True if all of it is written, or none is wanted; else says so on standard error, and why. What
  /// stood in the file is replaced at once or not at all; a link stays, and so does what standard
  /// output was sent to.
  bool write(const std::string& text);
  /// The same for what is known so far, in silence: a full disk now may have room at the end.
  void write_so_far(const std::string& text);

 private:
  bool is_standard_output() const;
  bool is_replaceable() const;
  bool append(const std::string& text);
  bool replace(const std::string& text);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  std::string option_;
  std::string path_;
  std::string target_;  ///< the path behind all links
  std::unique_ptr<std::FILE, Close> file_;
  std::string problem_;
};

/// Makes the folder if need be. What is wrong with it, in one line; empty: nothing.
std::string prepare_failures_dir(const std::string& path);

}  // namespace shardcheck::tools
