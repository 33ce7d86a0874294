#include "judge_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>

#include <shardcheck/tools/cases/backend_choice.h>
#include <shardcheck/tools/cases/telling.h>
#include <shardcheck/tools/process/lost_process.h>
#include <shardcheck/tools/process/running_case.h>

namespace shardcheck::tools {
namespace {

/// The case with what it leaves to be chosen as it was chosen.
Case resolved(const Case& subject, const Verdict& verdict) {
  if (verdict.plan.empty()) return subject;
  return telling_of(kind_of(subject)).spelled(subject, verdict.plan).value_or(subject);
}

Results verdict_on(const Case& subject, Backend& backend, const CheckOptions& further) {
  const Verdict verdict = check(subject, backend, further);
  const std::string line = print(resolved(subject, verdict));
  Results outcome;
  count(outcome, 0, subject, line, verdict);
  // No failure, but its reason is to be told too.
  if (verdict.status == Status::unsupported) {
    count_failure(outcome, "", case_failure(0, line, verdict));
  }
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

ChildProcess::Answering prepare(const JudgeSettings& settings) {
  limit_memory(settings.memory_mib);
  // A candidate that dies says so by dying; what it prints on the way would bury the report, and
  // what it leaves of itself would fill the disk.
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  const auto file =
      std::make_shared<RunningCaseFile>(running_case_path(settings.running_dir, ::getpid()));
  const std::shared_ptr<Backend> backend = *make_backend(settings.fault);
  return [settings, file, backend](const std::string& line) {
    file->write("a candidate of the minimiser", line);
    const auto subject = parse(line);
    SHARDCHECK_REQUIRE(subject.has_value(), "a case that was printed can be read");
    return to_bytes(verdict_on(*subject, *backend, settings.further));
  };
}

}  // namespace

JudgeProcess::JudgeProcess(JudgeSettings settings)
    : settings_(std::move(settings)),
      child_({.prepare = [this] { return prepare(settings_); },
              .seconds_max = settings_.seconds_max,
              .ended =
                  [this](pid_t pid) {
                    remove_running_case(running_case_path(settings_.running_dir, pid));
                  }}) {}

std::optional<CaseFailure> JudgeProcess::judge(const Case& subject) {
  using Kind = ChildProcess::Reply::Kind;
  why_unsupported_.clear();
  const ChildProcess::Reply reply = child_.ask(print(subject));
  if (reply.kind == Kind::interrupted || reply.kind == Kind::not_asked) return std::nullopt;
  if (reply.kind != Kind::answered) {
    const Verdict verdict = verdict_of_lost_process(reply.kind == Kind::silent,
                                                    settings_.seconds_max, reply.wait_status);
    CaseFailure failure = case_failure(0, print(subject), verdict);
    failure.fold = fold_of(subject, verdict);
    return failure;
  }
  Results outcome = from_bytes(reply.answer);
  if (outcome.failures.empty()) return std::nullopt;
  CaseFailure& first = outcome.failures.begin()->second.first;
  if (first.status != Status::unsupported) return std::move(first);
  why_unsupported_ = std::move(first.reason);
  return std::nullopt;
}

}  // namespace shardcheck::tools
