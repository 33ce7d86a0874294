#include "lost_process.h"

#include <sys/wait.h>

#include <cstring>

#include <fmt/format.h>

namespace shardcheck::tools {

bool ran_out_of_memory(int wait_status) {
  return WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == out_of_memory_exit;
}

Verdict verdict_of_unjudged_case() {
  Verdict verdict;
  verdict.status = Status::unsupported;
  verdict.reason = "not judged: out of memory";
  return verdict;
}

Verdict verdict_of_lost_process(bool was_silent, double seconds, int wait_status) {
  Finding finding;
  finding.invariant = Invariant::liveness;
  finding.kind = was_silent ? "timeout" : "crash";
  finding.allowed = "an end";
  if (was_silent) {
    finding.got = fmt::format("no end within {} s", seconds);
  } else if (ran_out_of_memory(wait_status)) {
    finding.got = "out of memory";
  } else if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    finding.got = fmt::format("signal {} ({})", signal, ::strsignal(signal));
  } else {
    finding.got = fmt::format("exit code {}", WEXITSTATUS(wait_status));
  }
  Verdict verdict;
  verdict.status = was_silent ? Status::timeout : Status::fail;
  verdict.findings.push_back(finding);
  verdict.finding_count = 1;
  verdict.outcomes[static_cast<std::size_t>(Invariant::liveness)] = Outcome::broken;
  return verdict;
}

}  // namespace shardcheck::tools
