#include "supervisor.h"

#include <poll.h>

#include <algorithm>
#include <csignal>
#include <deque>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/judge/number_text.h>

#include <shardcheck/tools/process/clock.h>
#include <shardcheck/tools/process/interruption.h>
#include <shardcheck/tools/process/lost_process.h>

#include "worker.h"

namespace shardcheck::tools {
namespace {

/// Small enough for a lively display and an even split, large enough that the pipe costs nothing.
constexpr std::int64_t cases_per_chunk = 64;
constexpr std::int64_t workers_lost_max = 100;
constexpr int poll_milliseconds = 100;

struct Done {
  std::int64_t count = 0;
  Results results;
  std::string not_judged{};  ///< the one case, if there was no memory for it; else empty
};

Chunk part_of(const Chunk& chunk, std::int64_t first, std::int64_t count) {
  Chunk part{first, count, {}};
  if (chunk.lines.empty()) return part;
  const auto from = chunk.lines.begin() + (first - chunk.first);
  part.lines.assign(from, from + count);
  return part;
}

Results results_of_lost_case(std::int64_t number, const std::optional<std::string>& line,
                             Verdict verdict) {
  Results results;
  const auto subject = parse(line.value_or(""));
  if (subject) {
    count(results, number, *subject, *line, verdict);
    return results;
  }
  results.statuses[static_cast<std::size_t>(verdict.status)] += 1;
  if (!fails_a_run(verdict.status)) return results;
  verdict.reason = "while the case was drawn";
  count_failure(results, signature(verdict) + " generator", case_failure(number, "", verdict));
  return results;
}

class Supervisor {
 public:
  Supervisor(const RunOptions& options, const RunHooks& hooks)
      : options_(options), hooks_(hooks), start_(seconds_now()) {}

  RunOutcome run();

 private:
  bool wants_more() const { return outcome_.stopped_because.empty(); }
  std::optional<Chunk> next_chunk();
  bool comes_before_a_failure(const Chunk& chunk) const;
  void fill_workers();
  void wait_for_results();
  void take_results(Worker& worker);
  void lose(Worker& worker, bool was_silent);
  void look_for_silence();
  void add_up();
  void look_at_limits();
  bool any_busy() const;
  bool has_too_many_failures() const { return different_failures_ >= options_.failures_max; }
  void end_all();

  const RunOptions& options_;
  const RunHooks& hooks_;
  double start_ = 0;
  RunOutcome outcome_;
  std::vector<Worker> workers_;
  std::deque<Chunk> again_;  ///< what a lost worker left undone; drawn before new cases
  std::int64_t next_case_ = 0;
  std::int64_t lost_while_drawing_ = -1;
  std::int64_t different_failures_ = 0;
  std::map<std::int64_t, Done> done_;  ///< by first case; not yet added up
};

std::optional<Chunk> Supervisor::next_chunk() {
  while (!again_.empty()) {
    const Chunk chunk = again_.front();
    again_.pop_front();
    if (wants_more() || comes_before_a_failure(chunk)) return chunk;
  }
  if (!wants_more() || next_case_ >= options_.cases) return std::nullopt;
  Chunk chunk{next_case_, std::min(cases_per_chunk, options_.cases - next_case_), {}};
  next_case_ += chunk.count;
  for (std::int64_t n = 0; hooks_.next_line && n < chunk.count; ++n) {
    chunk.lines.push_back(hooks_.next_line());
  }
  return chunk;
}

/// What is known of a later case isn't lost for want of an earlier one. The rest of a chunk that
/// hangs would hold up a run that is to end, case after case.
bool Supervisor::comes_before_a_failure(const Chunk& chunk) const {
  return std::any_of(done_.upper_bound(chunk.first), done_.end(),
                     [](const auto& entry) { return !entry.second.results.failures.empty(); });
}

void Supervisor::fill_workers() {
  std::erase_if(workers_, [](const Worker& worker) { return worker.pid < 0; });
  for (Worker& worker : workers_) {
    if (worker.chunk) continue;
    const std::optional<Chunk> chunk = next_chunk();
    if (!chunk) return;
    worker.last_progress = seconds_now();
    if (!give(worker, *chunk)) lose(worker, false);
  }
  while (std::ssize(workers_) < options_.jobs) {
    const std::optional<Chunk> chunk = next_chunk();
    if (!chunk) return;
    std::optional<Worker> worker = start_worker(options_, workers_);
    if (!worker) {
      again_.push_front(*chunk);
      if (workers_.empty()) {
        again_.clear();
        outcome_.stopped_because = "no worker process could be started";
      }
      return;
    }
    worker->last_progress = seconds_now();
    if (!give(*worker, *chunk)) lose(*worker, false);
    workers_.push_back(std::move(*worker));
  }
}

void Supervisor::wait_for_results() {
  std::vector<pollfd> watched;
  for (const Worker& worker : workers_) watched.push_back({worker.results.read_end, POLLIN, 0});
  ::poll(watched.data(), watched.size(), poll_milliseconds);
  for (std::size_t index = 0; index < watched.size(); ++index) {
    if (watched[index].revents != 0) take_results(workers_[index]);
  }
}

void Supervisor::take_results(Worker& worker) {
  const std::optional<std::string> bytes = read_message(worker.results.read_end);
  if (!bytes) {
    lose(worker, false);
    return;
  }
  done_[worker.chunk->first] = {worker.chunk->count, from_bytes(*bytes)};
  worker.chunk.reset();
}

/// The worker is gone or is made to go: its case becomes a finding, what it has not reported is
/// run again.
void Supervisor::lose(Worker& worker, bool was_silent) {
  if (was_silent) ::kill(worker.pid, SIGKILL);
  const std::int64_t number = worker.at_work->number;
  const bool is_written = worker.at_work->is_written;
  const std::optional<std::string> line = read_running_case(worker.running_path);
  const int wait_status = end_worker(worker);
  worker.pid = -1;
  outcome_.workers_lost += 1;
  if (!worker.chunk) return;
  const Chunk chunk = *std::exchange(worker.chunk, std::nullopt);
  const std::int64_t end = chunk.first + chunk.count;
  const bool is_at_work = number >= chunk.first && number < end;
  // A worker that died while it drew a case leaves none to show; a second death there is the
  // generator's doing.
  if (!is_at_work || (!is_written && std::exchange(lost_while_drawing_, number) != number)) {
    again_.push_front(chunk);
    return;
  }
  const bool is_judged = was_silent || !ran_out_of_memory(wait_status);
  const std::optional<std::string> known_line = is_written ? line : std::nullopt;
  Done& done = done_[number];
  done.count = 1;
  done.results = results_of_lost_case(
      number, known_line,
      is_judged ? verdict_of_lost_process(was_silent, options_.case_seconds, wait_status)
                : verdict_of_unjudged_case());
  if (!is_judged) done.not_judged = fmt::format("case {}: {}", number, known_line.value_or(""));
  if (number + 1 < end) again_.push_front(part_of(chunk, number + 1, end - number - 1));
  if (number > chunk.first) again_.push_front(part_of(chunk, chunk.first, number - chunk.first));
}

void Supervisor::look_for_silence() {
  for (Worker& worker : workers_) {
    if (!worker.chunk) continue;
    const std::int64_t number = worker.at_work->number;
    if (number != worker.last_number) {
      worker.last_number = number;
      worker.last_progress = seconds_now();
    } else if (seconds_now() - worker.last_progress > options_.case_seconds) {
      lose(worker, true);
    }
  }
}

void Supervisor::add_up() {
  for (auto next = done_.find(outcome_.cases); next != done_.end();
       next = done_.find(outcome_.cases)) {
    if (has_too_many_failures()) return;
    outcome_.cases += next->second.count;
    const std::size_t folds = outcome_.results.failures.size();
    merge(outcome_.results, std::move(next->second.results));
    if (!next->second.not_judged.empty() && outcome_.not_judged++ == 0) {
      outcome_.first_not_judged = next->second.not_judged;
    }
    done_.erase(next);
    if (outcome_.results.failures.size() == folds) continue;
    const double before = seconds_now();
    different_failures_ = hooks_.keep_failures(outcome_.results);
    start_ += seconds_now() - before;
  }
}

void Supervisor::look_at_limits() {
  if (interrupt_count() > 0) {
    outcome_.is_interrupted = true;
    outcome_.stopped_because = "interrupted";
  } else if (has_too_many_failures()) {
    outcome_.stopped_because = counted(different_failures_, "different failure");
  } else if (outcome_.workers_lost >= workers_lost_max) {
    outcome_.stopped_because = fmt::format("{} workers were lost", outcome_.workers_lost);
  } else if (options_.seconds && seconds_now() - start_ >= *options_.seconds) {
    outcome_.stopped_because = "the time is over";
  }
}

bool Supervisor::any_busy() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const Worker& worker) { return worker.chunk.has_value(); });
}

void Supervisor::end_all() {
  for (Worker& worker : workers_) {
    if (worker.pid < 0) continue;
    if (worker.chunk) ::kill(worker.pid, SIGKILL);
    end_worker(worker);
  }
  workers_.clear();
}

RunOutcome Supervisor::run() {
  while (true) {
    // Chunks are handed out in order, so that what is under way is all that is missing from a
    // prefix; only an impatient user or too many failures leave it unfinished.
    if (interrupt_count() > 1 || has_too_many_failures() ||
        outcome_.workers_lost >= workers_lost_max) {
      break;
    }
    fill_workers();
    if (!any_busy() && again_.empty() && (!wants_more() || next_case_ >= options_.cases)) break;
    wait_for_results();
    look_for_silence();
    add_up();
    look_at_limits();
    outcome_.seconds = seconds_now() - start_;
    hooks_.progress(outcome_);
  }
  end_all();
  outcome_.seconds = seconds_now() - start_;
  return std::move(outcome_);
}

}  // namespace

RunOutcome supervise(const RunOptions& options, const RunHooks& hooks) {
  watch_for_interrupts();
  return Supervisor(options, hooks).run();
}

}  // namespace shardcheck::tools
