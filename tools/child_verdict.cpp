#include "child_verdict.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>

#include "backend_choice.h"
#include "channel.h"
#include "lost_process.h"

namespace shardcheck::tools {
namespace {

[[noreturn]] void judge(const RunOptions& options, const Case& subject, bool repeat, int results) {
  ::signal(SIGINT, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A candidate that dies says so by dying; what it prints on the way would bury the report.
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  const std::unique_ptr<Backend> backend = *make_backend(options.fault);
  const Verdict verdict = check(subject, *backend, {repeat});
  Case resolved = subject;
  if (!verdict.plan.empty()) resolved.plan = verdict.plan;
  Results outcome;
  count(outcome, 0, subject, print(resolved), verdict);
  write_message(results, to_bytes(outcome));
  ::_exit(0);
}

CaseFailure failure_of_lost_child(const Case& subject, const Verdict& verdict) {
  return {0, print(subject), verdict.status, signature(verdict), "", verdict.findings};
}

}  // namespace

std::optional<CaseFailure> failure_in_child(const RunOptions& options, const Case& subject,
                                            bool repeat, double seconds_max) {
  std::optional<Channel> channel = open_channel();
  if (!channel) return std::nullopt;
  const pid_t pid = ::fork();
  if (pid == 0) judge(options, subject, repeat, channel->write_end);
  close_end(channel->write_end);
  if (pid < 0) {
    close_end(channel->read_end);
    return std::nullopt;
  }
  const bool is_silent = !wait_readable(channel->read_end, static_cast<int>(seconds_max * 1000));
  if (is_silent) ::kill(pid, SIGKILL);
  const std::optional<std::string> bytes =
      is_silent ? std::nullopt : read_message(channel->read_end);
  close_end(channel->read_end);
  int wait_status = 0;
  while (::waitpid(pid, &wait_status, 0) < 0 && errno == EINTR) {
  }
  if (!bytes) {
    return failure_of_lost_child(subject,
                                 verdict_of_lost_process(is_silent, seconds_max, wait_status));
  }
  const Results outcome = from_bytes(*bytes);
  if (outcome.failures.empty()) return std::nullopt;
  return outcome.failures.begin()->second.first;
}

}  // namespace shardcheck::tools
