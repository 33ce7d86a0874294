#include "progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace shardcheck::tools {
namespace {

constexpr double live_seconds = 0.1;
constexpr double plain_seconds = 10;
constexpr std::size_t live_columns = 100;
constexpr std::size_t bar_columns = 20;

std::string duration(double seconds) {
  const auto whole = static_cast<std::int64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

/// Whatever comes first, the last case or the end of the time.
double seconds_left(const RunOptions& options, const RunOutcome& outcome) {
  const double done = static_cast<double>(outcome.cases);
  const double by_cases =
      done == 0 ? 0 : outcome.seconds / done * (static_cast<double>(options.cases) - done);
  if (!options.seconds) return by_cases;
  return std::max(0.0, std::min(by_cases, *options.seconds - outcome.seconds));
}

/// "[####······]"
std::string bar(double share) {
  const auto full =
      static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(bar_columns));
  std::string text = "[";
  for (std::size_t column = 0; column < bar_columns; ++column) text += column < full ? "#" : "·";
  return text + "] ";
}

}  // namespace

bool may_colour(int descriptor) {
  const char* const no_color = std::getenv("NO_COLOR");
  return ::isatty(descriptor) == 1 && (no_color == nullptr || *no_color == '\0');
}

Progress::Progress(const RunOptions& options)
    : options_(options),
      is_terminal_(::isatty(STDERR_FILENO) == 1),
      has_colour_(may_colour(STDERR_FILENO)),
      next_(is_terminal_ ? 0 : plain_seconds) {}

void Progress::update(const RunOutcome& outcome) {
  if (outcome.seconds < next_ || outcome.cases == 0) return;
  next_ = outcome.seconds + (is_terminal_ ? live_seconds : plain_seconds);
  std::int64_t failed = 0;
  for (const auto& [fold, failure] : outcome.results.failures) failed += failure.cases;
  const std::string failures = failed > 0 && has_colour_
                                   ? fmt::format("\033[31m{} failed\033[0m", failed)
                                   : fmt::format("{} failed", failed);
  const double share = options_.cases == 0 ? 0
                                           : static_cast<double>(outcome.cases) /
                                                 static_cast<double>(options_.cases);
  show(fmt::format("{}{} of {} cases, {:.0f} a second, {}, {} left", is_terminal_ ? bar(share) : "",
                   outcome.cases, options_.cases,
                   static_cast<double>(outcome.cases) / std::max(outcome.seconds, 1e-3), failures,
                   duration(seconds_left(options_, outcome))));
}

void Progress::note(const std::string& text) {
  if (is_terminal_) show(text.substr(0, live_columns));
}

void Progress::show(const std::string& text) {
  if (is_terminal_) {
    std::fputs(fmt::format("\r{}\033[K", text).c_str(), stderr);
  } else {
    std::fputs((text + "\n").c_str(), stderr);
  }
  std::fflush(stderr);
}

void Progress::finish() {
  if (!is_terminal_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace shardcheck::tools
