#include "command.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace shardcheck::tools {
namespace {

void redirect(const char* path, int flags, int descriptor) {
  const int opened = ::open(path, flags, 0644);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) ::_exit(127);
}

}  // namespace

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "shardcheck-e2e-XXXXXX").string();
  path_ = ::mkdtemp(pattern.data());
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(file(name), std::ios::binary) << text;
}

std::string Folder::read(const std::string& name) const {
  std::ifstream stream(file(name), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<std::string> Folder::files() const {
  std::vector<std::string> found;
  std::error_code ignored;
  for (std::filesystem::recursive_directory_iterator entry(path_, ignored), end; entry != end;
       entry.increment(ignored)) {
    if (entry->is_regular_file(ignored)) {
      found.push_back(entry->path().lexically_relative(path_).string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

pid_t start_command(const Folder& folder, const std::vector<std::string>& arguments) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  // Tests that nohup starts are to be interrupted all the same.
  ::signal(SIGHUP, SIG_DFL);
  if (::chdir(folder.path().c_str()) != 0) ::_exit(127);
  redirect(::access("stdin", R_OK) == 0 ? "stdin" : "/dev/null", O_RDONLY, STDIN_FILENO);
  redirect("stdout", O_CREAT | O_TRUNC | O_WRONLY, STDOUT_FILENO);
  redirect("stderr", O_CREAT | O_TRUNC | O_WRONLY, STDERR_FILENO);
  std::vector<std::string> words{SHARDCHECK_BINARY};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(SHARDCHECK_BINARY, pointers.data());
  ::_exit(127);
}

Output finish(const Folder& folder, pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  Output output;
  output.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  output.out = folder.read("stdout");
  output.err = folder.read("stderr");
  return output;
}

Output run_command(const Folder& folder, const std::vector<std::string>& arguments,
                   const std::string& standard_input) {
  if (!standard_input.empty()) folder.write("stdin", standard_input);
  const auto start = std::chrono::steady_clock::now();
  Output output = finish(folder, start_command(folder, arguments));
  output.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return output;
}

}  // namespace shardcheck::tools
