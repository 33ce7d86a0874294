#include "lesson.h"

#include <fmt/format.h>

namespace shardcheck::tools {
namespace {

const model::CallsExpectation& of_calls(const model::Expectation& expectation) {
  return static_cast<const model::CallsExpectation&>(expectation);
}

std::string question(const model::Expectation& expectation) {
  return question_text(of_calls(expectation).subject);
}

std::string starts(const model::Expectation& expectation, const Detail& detail) {
  return starts_text(of_calls(expectation), detail);
}

std::string dues(const model::Expectation& expectation, const Detail& detail) {
  return dues_text(of_calls(expectation), detail);
}

std::string walk(const Story& story) {
  return calls_text(of_calls(story.expectation), story.record, story.detail);
}

std::string ends(const Story& story) {
  return ends_text(of_calls(story.expectation), story.record, story.detail);
}

std::vector<std::string> phases(const model::Expectation& expectation) {
  std::vector<std::string> titles;
  for (const Call& call : of_calls(expectation).subject.calls) {
    titles.emplace_back(name(call.collective));
  }
  return titles;
}

std::string others(const model::Expectation& expectation, const Detail& detail) {
  const std::string text = other_algorithms_text(of_calls(expectation).subject, detail);
  return text.empty() ? "" : "\nThe same by other algorithms, by rank\n" + text;
}

/// A collective alone leaves nothing to plan but its algorithm.
std::string outline(const model::Expectation& expectation, const Detail& /*detail*/) {
  return "\nThe question\n" + question(expectation);
}

std::string place(const Case& /*subject*/, const OrderFound& found) {
  return fmt::format("element {} on rank {}", found.coordinate, found.rank);
}

}  // namespace

const Lesson calls_lesson{.kind = Kind::calls,
                          .question = question,
                          .starts = starts,
                          .dues = dues,
                          .walk = walk,
                          .ends_title = "What each rank ended with",
                          .ends = ends,
                          .phases = phases,
                          .others = others,
                          .outline = outline,
                          .term = "m",
                          .place = place};

}  // namespace shardcheck::tools
