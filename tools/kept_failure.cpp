#include "kept_failure.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>

#include <fmt/format.h>

#include <shardcheck/properties/judge/conclude.h>

#include "build_info.h"
#include "minimise_failure.h"

namespace shardcheck::tools {
namespace {

std::string path_of(const RunOptions& options, const CaseFailure& failure) {
  std::string kind = failure.signature.empty()
                         ? std::string(status_names[static_cast<std::size_t>(failure.status)])
                         : failure.signature;
  std::replace(kind.begin(), kind.end(), '/', '-');
  const auto short_hash = static_cast<std::uint32_t>(hash_of(failure.line));
  return fmt::format("{}/{}-{:08x}.case", options.failures_dir, kind, short_hash);
}

/// A comment line; what a backend said may hold line breaks.
std::string comment(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char byte) { return byte == '\n' || byte == '\r'; }, ' ');
  return fmt::format("# {}\n", text);
}

std::string file_text(const RunOptions& options, const KeptFailure& failure) {
  const CaseFailure& shown = failure.shown;
  std::string text = comment(
      fmt::format("{} {}", status_names[static_cast<std::size_t>(shown.status)], shown.signature));
  if (!shown.reason.empty()) text += comment(fmt::format("reason: {}", shown.reason));
  if (!shown.findings.empty()) {
    const Finding& first = shown.findings.front();
    text += comment(
        fmt::format("what: {}", invariants[static_cast<std::size_t>(first.invariant)].meaning));
    text += comment(fmt::format("allowed: {}", first.allowed));
    text += comment(fmt::format("got: {}", first.got));
    if (!first.evidence.empty()) text += comment(fmt::format("evidence: {}", first.evidence));
  }
  for (const auto& [name, value] : environment()) {
    text += comment(fmt::format("{}: {}", name, value));
  }
  if (!options.fault.empty()) text += comment(fmt::format("planted fault: {}", options.fault));
  text += comment(fmt::format("found: case {} of seed {}{}", failure.found.number, options.seed,
                              failure.is_minimised ? ", minimised" : ""));
  if (!failure.is_reproduced) text += comment("not seen again when it was run alone");
  text += comment(fmt::format("replay: {}", replay_command(options, failure)));
  return text + shown.line + "\n";
}

void save(const RunOptions& options, KeptFailure& failure) {
  if (failure.shown.line.empty()) return;
  const std::string previous = failure.path;
  failure.path = path_of(options, failure.shown);
  std::ofstream file(failure.path, std::ios::trunc);
  file << file_text(options, failure);
  file.close();
  if (!file) failure.path.clear();
  if (!previous.empty() && previous != failure.path) ::unlink(previous.c_str());
}

}  // namespace

void FailureKeeper::keep(const Results& results) {
  for (const auto& [fold, folded] : results.failures) {
    const auto known = std::find_if(failures_.begin(), failures_.end(),
                                    [&](const KeptFailure& entry) { return entry.fold == fold; });
    if (known != failures_.end()) {
      known->cases = folded.cases;
      continue;
    }
    failures_.push_back({folded.first, folded.first, fold, folded.cases, false, true, ""});
    save(options_, failures_.back());
  }
  std::sort(failures_.begin(), failures_.end(), [](const KeptFailure& one, const KeptFailure& two) {
    return one.found.number < two.found.number;
  });
}

void FailureKeeper::minimise_all(const std::function<void(const std::string&)>& progress) {
  std::vector<KeptFailure> distinct;
  for (KeptFailure& failure : failures_) {
    const auto smaller =
        minimise_failure(options_, failure.found, [&](const std::string& line) { progress(line); });
    failure.is_reproduced = smaller.has_value();
    if (smaller) {
      failure.shown = smaller->failure;
      failure.is_minimised = smaller->is_minimal;
    }
    const auto same = std::find_if(distinct.begin(), distinct.end(), [&](const KeptFailure& entry) {
      return entry.shown.line == failure.shown.line &&
             entry.shown.signature == failure.shown.signature;
    });
    if (same != distinct.end()) {
      same->cases += failure.cases;
      if (failure.path != same->path) ::unlink(failure.path.c_str());
      continue;
    }
    save(options_, failure);
    distinct.push_back(std::move(failure));
  }
  failures_ = std::move(distinct);
}

std::string replay_command(const RunOptions& options, const KeptFailure& failure) {
  const std::string fault = options.fault.empty() ? "" : fmt::format(" --fault {}", options.fault);
  return fmt::format("shardcheck replay{} {}", fault, failure.path);
}

}  // namespace shardcheck::tools
