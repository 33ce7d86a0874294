#include "judge_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include <shardcheck/model/case/any_case.h>
#include <shardcheck/model/case/contract.h>
#include <shardcheck/properties/check.h>

#include "backend_choice.h"
#include "interruption.h"
#include "lost_process.h"
#include "running_case.h"
#include "supervisor.h"

namespace shardcheck::tools {
namespace {

constexpr int poll_milliseconds = 50;

Results verdict_on(const AnyCase& subject, const Backends& backends, const CheckOptions& further) {
  const Verdict verdict = check(subject, backends, further);
  AnyCase resolved = subject;
  auto* product = std::get_if<Case>(&resolved);
  if (product != nullptr && !verdict.plan.empty()) product->plan = verdict.plan;
  Results outcome;
  count(outcome, 0, subject, print(resolved), verdict);
  return outcome;
}

/// A sanitizer reserves terabytes for its own books.
void limit_memory([[maybe_unused]] std::int64_t mib) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlim_t bytes = static_cast<rlim_t>(mib) << 20U;
  const rlimit limit{bytes, bytes};
  ::setrlimit(RLIMIT_AS, &limit);
#endif
}

[[noreturn]] void work(const JudgeSettings& settings, int cases, int results) {
  ::signal(SIGINT, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit_memory(settings.memory_mib);
  // A candidate that dies says so by dying; what it prints on the way would bury the report, and
  // what it leaves of itself would fill the disk.
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  RunningCaseFile file(running_case_path(settings.running_dir, ::getpid()));
  const Backends backends = *make_backends(settings.fault);
  while (const std::optional<std::string> line = read_message(cases)) {
    file.write("a candidate of the minimiser", *line);
    const auto subject = parse_any(*line);
    SHARDCHECK_REQUIRE(subject.has_value(), "a case that was printed can be read");
    if (!write_message(results, to_bytes(verdict_on(*subject, backends, settings.further)))) break;
  }
  ::_exit(0);
}

}  // namespace

JudgeProcess::JudgeProcess(JudgeSettings settings) : settings_(std::move(settings)) {}

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
    work(settings_, cases_.read_end, results_.write_end);
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
  if (pid_ > 0) ::unlink(running_case_path(settings_.running_dir, pid_).c_str());
  pid_ = -1;
  return wait_status;
}

JudgeProcess::Waited JudgeProcess::wait_for_answer() const {
  const double deadline = seconds_now() + settings_.seconds_max;
  while (!wait_readable(results_.read_end, poll_milliseconds)) {
    if (interrupt_count() > 0) return Waited::interrupted;
    if (seconds_now() >= deadline) return Waited::silent;
  }
  return Waited::answered;
}

std::optional<CaseFailure> JudgeProcess::judge(const AnyCase& subject) {
  if (!start() || !write_message(cases_.write_end, print(subject))) return std::nullopt;
  const Waited waited = wait_for_answer();
  if (waited != Waited::answered) ::kill(pid_, SIGKILL);
  if (waited == Waited::interrupted) {
    end();
    return std::nullopt;
  }
  const bool is_silent = waited == Waited::silent;
  const std::optional<std::string> bytes =
      is_silent ? std::nullopt : read_message(results_.read_end);
  if (!bytes) {
    const Verdict verdict = verdict_of_lost_process(is_silent, settings_.seconds_max, end());
    CaseFailure failure = case_failure(0, print(subject), verdict);
    failure.fold = fold_of(subject, verdict);
    return failure;
  }
  Results outcome = from_bytes(*bytes);
  if (outcome.failures.empty()) return std::nullopt;
  return std::move(outcome.failures.begin()->second.first);
}

}  // namespace shardcheck::tools
