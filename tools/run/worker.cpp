#include "worker.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <memory>
#include <new>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/case_number.h>
#include <shardcheck/properties/generate/scope.h>

#include <shardcheck/tools/cases/backend_choice.h>
#include <shardcheck/tools/process/lost_process.h>
#include <shardcheck/tools/results/results.h>

namespace shardcheck::tools {
namespace {

std::string as_message(const Chunk& chunk) {
  std::string bytes;
  nlohmann::json::to_cbor(nlohmann::json::array({chunk.first, chunk.count, chunk.lines}), bytes);
  return bytes;
}

Chunk as_chunk(const std::string& bytes) {
  const nlohmann::json json = nlohmann::json::from_cbor(bytes);
  return {json.at(0), json.at(1), json.at(2)};
}

/// The case of that number: drawn, or read from the chunk's lines.
Case case_of(const RunOptions& options, const Scopes& scopes, const Chunk& chunk,
             std::int64_t number) {
  if (chunk.lines.empty()) return case_number(options.seed, number, scopes);
  const auto subject = parse(chunk.lines[static_cast<std::size_t>(number - chunk.first)]);
  SHARDCHECK_REQUIRE(subject.has_value(), "a case that was printed can be read");
  return *subject;
}

Results run_chunk(const RunOptions& options, const Scopes& scopes, const Chunk& chunk,
                  Backend& backend, CaseAtWork& at_work, RunningCaseFile& file) {
  Results results;
  std::string line;
  const bool has_tokens = allows_tokens(options.restrictions);
  for (std::int64_t number = chunk.first; number < chunk.first + chunk.count; ++number) {
    at_work.is_written = false;
    at_work.number = number;
    const Case subject = case_of(options, scopes, chunk, number);
    line = print(subject);
    set_case_at_work(line);
    file.write(fmt::format("case {} of {}", number, origin_of(options)), line);
    at_work.is_written = true;
    const CheckOptions further{.repeat = is_repeated(line),
                               .tokens = has_tokens && is_run_in_tokens(line),
                               .relating = is_related(line) ? Relating::drawn : Relating::none};
    count(results, number, subject, line, check(subject, backend, further));
  }
  return results;
}

[[noreturn]] void work(const RunOptions& options, int chunks, int results, CaseAtWork& at_work) {
  // An interrupt goes to the whole process group; the supervisor alone decides what follows.
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  RunningCaseFile file(running_case_path(options.failures_dir, ::getpid()));
  const std::unique_ptr<Backend> backend = *make_backend(options.fault);
  const Scopes scopes = *scopes_of(options.restrictions);
  try {
    while (const std::optional<std::string> message = read_message(chunks)) {
      const Results done = run_chunk(options, scopes, as_chunk(*message), *backend, at_work, file);
      if (!write_message(results, to_bytes(done))) break;
    }
  } catch (const std::bad_alloc&) {
    // What a backend can't have is its own affair; this was the harness's.
    ::_exit(out_of_memory_exit);
  }
  ::_exit(0);
}

}  // namespace

std::optional<Worker> start_worker(const RunOptions& options, const std::vector<Worker>& others) {
  Worker worker;
  const std::optional<Channel> chunks = open_channel();
  const std::optional<Channel> results = open_channel();
  worker.at_work = share_case_at_work();
  if (!chunks || !results || worker.at_work == nullptr) return std::nullopt;
  worker.chunks = *chunks;
  worker.results = *results;
  worker.pid = ::fork();
  if (worker.pid < 0) return std::nullopt;
  if (worker.pid == 0) {
    for (const Worker& other : others) {
      Worker inherited = other;
      close_end(inherited.chunks.write_end);
      close_end(inherited.results.read_end);
    }
    close_end(worker.chunks.write_end);
    close_end(worker.results.read_end);
    work(options, worker.chunks.read_end, worker.results.write_end, *worker.at_work);
  }
  close_end(worker.chunks.read_end);
  close_end(worker.results.write_end);
  worker.running_path = running_case_path(options.failures_dir, worker.pid);
  return worker;
}

bool give(Worker& worker, const Chunk& chunk) {
  worker.chunk = chunk;
  return write_message(worker.chunks.write_end, as_message(chunk));
}

int end_worker(Worker& worker) {
  close_end(worker.chunks.write_end);
  close_end(worker.results.read_end);
  int status = 0;
  while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
  }
  unshare(worker.at_work);
  worker.at_work = nullptr;
  remove_running_case(worker.running_path);
  return status;
}

}  // namespace shardcheck::tools
