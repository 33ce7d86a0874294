#include "judge_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>

#include "backend_choice.h"
#include "lost_process.h"

namespace shardcheck::tools {
namespace {

Results verdict_on(const std::string& line, Backend& backend, const CheckOptions& further) {
  const Case subject = *parse(line);
  const Verdict verdict = check(subject, backend, further);
  Case resolved = subject;
  if (!verdict.plan.empty()) resolved.plan = verdict.plan;
  Results outcome;
  count(outcome, 0, subject, print(resolved), verdict);
  return outcome;
}

[[noreturn]] void work(const RunOptions& options, const CheckOptions& further, int cases,
                       int results) {
  ::signal(SIGINT, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // A candidate that dies says so by dying; what it prints on the way would bury the report.
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  const std::unique_ptr<Backend> backend = *make_backend(options.fault);
  while (const std::optional<std::string> line = read_message(cases)) {
    if (!write_message(results, to_bytes(verdict_on(*line, *backend, further)))) break;
  }
  ::_exit(0);
}

}  // namespace

JudgeProcess::JudgeProcess(const RunOptions& options, const CheckOptions& further,
                           double seconds_max)
    : options_(options), further_(further), seconds_max_(seconds_max) {}

JudgeProcess::~JudgeProcess() { end(); }

bool JudgeProcess::start() {
  if (pid_ > 0) return true;
  const std::optional<Channel> cases = open_channel();
  const std::optional<Channel> results = open_channel();
  if (!cases || !results) return false;
  cases_ = *cases;
  results_ = *results;
  pid_ = ::fork();
  if (pid_ == 0) {
    close_end(cases_.write_end);
    close_end(results_.read_end);
    work(options_, further_, cases_.read_end, results_.write_end);
  }
  close_end(cases_.read_end);
  close_end(results_.write_end);
  return pid_ > 0;
}

/// Returns waitpid's status.
int JudgeProcess::end() {
  close_end(cases_.write_end);
  close_end(results_.read_end);
  int wait_status = 0;
  while (pid_ > 0 && ::waitpid(pid_, &wait_status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  return wait_status;
}

std::optional<CaseFailure> JudgeProcess::judge(const Case& subject) {
  if (!start() || !write_message(cases_.write_end, print(subject))) return std::nullopt;
  const bool is_silent = !wait_readable(results_.read_end, static_cast<int>(seconds_max_ * 1000));
  if (is_silent) ::kill(pid_, SIGKILL);
  const std::optional<std::string> bytes =
      is_silent ? std::nullopt : read_message(results_.read_end);
  if (!bytes) {
    return case_failure(0, print(subject), verdict_of_lost_process(is_silent, seconds_max_, end()));
  }
  Results outcome = from_bytes(*bytes);
  if (outcome.failures.empty()) return std::nullopt;
  return std::move(outcome.failures.begin()->second.first);
}

}  // namespace shardcheck::tools
