#include "failure_file.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include <fmt/format.h>

#include "build_info.h"

namespace shardcheck::tools {
namespace {

/// A comment line; what a backend said may hold line breaks.
std::string comment(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char byte) { return byte == '\n' || byte == '\r'; }, ' ');
  return fmt::format("# {}\n", text);
}

std::string file_text(const std::string& path, const CaseFailure& failure,
                      const FailureNote& note) {
  std::string text = comment(fmt::format(
      "{} {}", status_names[static_cast<std::size_t>(failure.status)], failure.signature));
  if (!failure.reason.empty()) text += comment(fmt::format("reason: {}", failure.reason));
  if (!failure.findings.empty()) {
    const Finding& first = failure.findings.front();
    text += comment(
        fmt::format("what: {}", invariants[static_cast<std::size_t>(first.invariant)].meaning));
    text += comment(fmt::format("allowed: {}", first.allowed));
    text += comment(fmt::format("got: {}", first.got));
    if (!first.evidence.empty()) text += comment(fmt::format("evidence: {}", first.evidence));
  }
  for (const auto& [name, value] : environment()) {
    text += comment(fmt::format("{}: {}", name, value));
  }
  if (!note.fault.empty()) text += comment(fmt::format("planted fault: {}", note.fault));
  text += comment(fmt::format("found: {}", note.origin));
  if (!note.is_reproduced) text += comment("not seen again when it was run alone");
  text += comment(fmt::format("replay: {}", replay_command(note.fault, path)));
  return text + failure.line + "\n";
}

}  // namespace

std::string failure_path(const std::string& folder, const std::string& fault,
                         const CaseFailure& failure) {
  std::string kind = failure.fold.empty()
                         ? std::string(status_names[static_cast<std::size_t>(failure.status)])
                         : failure.fold;
  if (!fault.empty()) kind += " " + fault;
  std::replace_if(
      kind.begin(), kind.end(), [](char byte) { return byte == '/' || byte == ' '; }, '-');
  return fmt::format("{}/{}.case", folder, kind);
}

bool write_failure(const std::string& path, const CaseFailure& failure, const FailureNote& note) {
  const std::string unfinished = fmt::format("{}.{}.unfinished", path, ::getpid());
  std::ofstream file(unfinished, std::ios::trunc);
  file << file_text(path, failure, note);
  file.close();
  if (file && std::rename(unfinished.c_str(), path.c_str()) == 0) return true;
  ::unlink(unfinished.c_str());
  return false;
}

std::string replay_command(const std::string& fault, const std::string& what) {
  return fault.empty() ? fmt::format("shardcheck replay {}", what)
                       : fmt::format("shardcheck replay --fault {} {}", fault, what);
}

}  // namespace shardcheck::tools
