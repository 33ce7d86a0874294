#include "lesson.h"

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck::tools {
namespace {

const model::ProductExpectation& of_product(const model::Expectation& expectation) {
  return static_cast<const model::ProductExpectation&>(expectation);
}

std::string question(const model::Expectation& expectation) {
  return question_text(of_product(expectation));
}

std::string starts(const model::Expectation& expectation, const Detail& detail) {
  return shards_text(of_product(expectation), detail);
}

std::string walk(const Story& story) { return walk_text(ProductStory(story)); }

std::string ends(const Story& story) { return owners_text(ProductStory(story)); }

std::vector<std::string> phases(const model::Expectation& expectation) {
  const model::ProductExpectation& product = of_product(expectation);
  std::vector<std::string> titles;
  for (const Step& step : product.plan.steps) {
    titles.push_back(print(product.subject.mesh, {step}));
  }
  return titles;
}

std::string outline(const model::Expectation& expectation, const Detail& detail) {
  return plan_text(of_product(expectation), detail);
}

std::string totals(const model::Expectation& expectation) {
  return totals_text(of_product(expectation));
}

std::string place(const Case& subject, const OrderFound& found) {
  const std::int64_t columns = std::get<ProductCase>(subject).j;
  return fmt::format("C[{},{}] on rank {}", found.coordinate / columns, found.coordinate % columns,
                     found.rank);
}

}  // namespace

const Lesson product_lesson{.kind = Kind::product,
                            .question = question,
                            .starts = starts,
                            .walk = walk,
                            .ends_title = "Who owns what in the end",
                            .ends = ends,
                            .phases = phases,
                            .outline = outline,
                            .totals = totals,
                            .term = "k",
                            .place = place};

}  // namespace shardcheck::tools
