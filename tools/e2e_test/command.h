#pragma once

/// Runs the built `shardcheck` as a user would, in a folder of its own, and keeps what it says.
///
///     Folder folder;
///     const Output output = run_command(folder, {"explain", "matmul …"});
///     output.exit_code, output.out, output.err

#include <sys/types.h>
#include <string>
#include <vector>

namespace shardcheck::tools {

/// A new folder, gone with its content at the end of the test.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;
  /// Paths below, relative to the folder, sorted.
  std::vector<std::string> files() const;

 private:
  std::string path_;
};

struct Output {
  int exit_code = -1;  ///< 1000 + the signal if one ended it
  std::string out;
  std::string err;
  double seconds = 0;
};

Output run_command(const Folder& folder, const std::vector<std::string>& arguments,
                   const std::string& standard_input = "");

/// Starts it and returns at once; finish() waits for it.
pid_t start_command(const Folder& folder, const std::vector<std::string>& arguments);
Output finish(const Folder& folder, pid_t pid);

}  // namespace shardcheck::tools
