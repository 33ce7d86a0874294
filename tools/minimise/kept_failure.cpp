#include "kept_failure.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/measure.h>

#include <shardcheck/tools/process/interruption.h>
#include <shardcheck/tools/results/failure_file.h>

namespace shardcheck::tools {
namespace {

/// A line that doesn't parse is larger than any.
bool is_smaller_line(const std::string& one, const std::string& other) {
  const auto left = parse(one);
  const auto right = parse(other);
  if (!left || !right) return left.has_value();
  return is_smaller(measure(*left), measure(*right));
}

}  // namespace

FailureKeeper::FailureKeeper(MinimiseSettings settings, std::string origin,
                             std::function<void(const std::string&)> progress)
    : settings_(std::move(settings)), origin_(std::move(origin)), progress_(std::move(progress)) {}

bool FailureKeeper::is_known(const std::string& fold) const {
  return std::any_of(failures_.begin(), failures_.end(), [&](const KeptFailure& entry) {
    return std::find(entry.folds.begin(), entry.folds.end(), fold) != entry.folds.end();
  });
}

std::int64_t FailureKeeper::keep(const Results& results) {
  std::vector<CaseFailure> fresh;
  for (const auto& [fold, folded] : results.failures) {
    if (is_known(fold)) continue;
    const auto same = alike(fold);
    if (same == failures_.end()) {
      fresh.push_back(folded.first);
    } else {
      same->folds.push_back(fold);
    }
  }
  std::sort(fresh.begin(), fresh.end(),
            [](const CaseFailure& one, const CaseFailure& two) { return one.number < two.number; });
  for (CaseFailure& found : fresh) {
    KeptFailure failure;
    failure.found = found;
    failure.folds = {found.fold};
    failure.shown = std::move(found);
    save(failure);
    if (interrupt_count() == 0) minimise(failure);
    add(std::move(failure));
  }
  for (KeptFailure& failure : failures_) {
    failure.cases = 0;
    for (const std::string& fold : failure.folds) failure.cases += results.failures.at(fold).cases;
  }
  return std::ssize(failures_);
}

void FailureKeeper::minimise(KeptFailure& failure) const {
  const auto minimised =
      minimise_failure(settings_, failure.found, [&](const CaseFailure& smaller) {
        failure.shown = smaller;
        save(failure);
        progress_(fmt::format("minimising {}", smaller.line));
      });
  failure.is_reproduced = minimised.has_value();
  if (!minimised) {
    failure.shown = failure.found;
  } else {
    failure.shown = minimised->failure;
    failure.is_minimised = minimised->stopped_because.empty();
  }
  save(failure);
}

std::vector<KeptFailure>::iterator FailureKeeper::alike(const std::string& fold) {
  return std::find_if(failures_.begin(), failures_.end(),
                      [&](const KeptFailure& entry) { return entry.shown.fold == fold; });
}

/// The smaller of two that are alike stands for both.
void FailureKeeper::add(KeptFailure failure) {
  const auto same = alike(failure.shown.fold);
  if (same == failures_.end()) {
    failures_.push_back(std::move(failure));
    return;
  }
  same->folds.insert(same->folds.end(), failure.folds.begin(), failure.folds.end());
  if (is_smaller_line(failure.shown.line, same->shown.line)) {
    same->shown = failure.shown;
    same->is_minimised = failure.is_minimised;
    same->is_reproduced = failure.is_reproduced;
  }
  save(*same);
  if (failure.path != same->path) ::unlink(failure.path.c_str());
}

void FailureKeeper::save(KeptFailure& failure) const {
  if (failure.shown.line.empty()) return;
  const std::string previous = failure.path;
  failure.path = failure_path(settings_.failures_dir, settings_.fault, failure.shown);
  // On its way down a case may become like another one, whose file is not to be spoiled before it
  // is known which of the two is smaller.
  const bool is_anothers = std::any_of(
      failures_.begin(), failures_.end(),
      [&](const KeptFailure& entry) { return &entry != &failure && entry.path == failure.path; });
  if (is_anothers && !previous.empty()) failure.path = previous;
  const std::string origin = fmt::format("case {} of {}{}", failure.found.number, origin_,
                                         failure.is_minimised ? ", minimised" : "");
  if (!write_failure(failure.path, failure.shown,
                     {settings_.fault, origin, failure.is_reproduced})) {
    // Nothing is lost that was printed.
    fmt::print(stderr, "shardcheck: --failures: '{}' was not written: {}; {}\n", failure.path,
               std::strerror(errno), failure.shown.line);
    failure.path = previous;
    return;
  }
  if (!previous.empty() && previous != failure.path) ::unlink(previous.c_str());
}

}  // namespace shardcheck::tools
