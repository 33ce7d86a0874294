#include "child_process.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <new>
#include <optional>
#include <utility>

#include "clock.h"
#include "interruption.h"
#include "lost_process.h"

namespace shardcheck::tools {
namespace {

constexpr int poll_milliseconds = 50;

/// An exception ends the child here and now: above stands what is the parent's to finish.
[[noreturn]] void answer(const ChildProcess::Work& work, int questions, int answers) noexcept {
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    const ChildProcess::Answering answering = work.prepare();
    while (const std::optional<std::string> question = read_message(questions)) {
      if (!write_message(answers, answering(*question))) break;
    }
  } catch (const std::bad_alloc&) {
    ::_exit(out_of_memory_exit);
  }
  ::_exit(0);
}

}  // namespace

ChildProcess::ChildProcess(Work work) : work_(std::move(work)) {}

ChildProcess::~ChildProcess() { end(); }

bool ChildProcess::start() {
  if (pid_ > 0) return true;
  const std::optional<Channel> questions = open_channel();
  const std::optional<Channel> answers = open_channel();
  if (!questions || !answers) return false;
  questions_ = *questions;
  answers_ = *answers;
  pid_ = ::fork();
  if (pid_ == 0) {
    close_end(questions_.write_end);
    close_end(answers_.read_end);
    answer(work_, questions_.read_end, answers_.write_end);
  }
  close_end(questions_.read_end);
  close_end(answers_.write_end);
  return pid_ > 0;
}

/// Returns waitpid's status.
int ChildProcess::end() {
  close_end(questions_.write_end);
  close_end(answers_.read_end);
  int wait_status = 0;
  while (pid_ > 0 && ::waitpid(pid_, &wait_status, 0) < 0 && errno == EINTR) {
  }
  if (pid_ > 0 && work_.ended) work_.ended(pid_);
  pid_ = -1;
  return wait_status;
}

ChildProcess::Reply ChildProcess::ask(const std::string& question) {
  using Kind = Reply::Kind;
  if (!start() || !write_message(questions_.write_end, question)) return {};
  const double deadline = seconds_now() + work_.seconds_max;
  while (!wait_readable(answers_.read_end, poll_milliseconds)) {
    const bool is_interrupted = interrupt_count() > 0;
    if (!is_interrupted && seconds_now() < deadline) continue;
    ::kill(pid_, SIGKILL);
    const int wait_status = end();
    return {is_interrupted ? Kind::interrupted : Kind::silent, {}, wait_status};
  }
  std::optional<std::string> answer = read_message(answers_.read_end);
  if (!answer) return {Kind::died, {}, end()};
  return {Kind::answered, std::move(*answer), 0};
}

}  // namespace shardcheck::tools
