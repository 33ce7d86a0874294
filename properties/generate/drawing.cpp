#include "drawing.h"

#include <array>
#include <utility>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

/// Draws before a source that never gives what the scope asks for is given up.
constexpr int draws_max = 2000;

/// What the grammar takes: no draw knows every limit that a scope may lead against.
bool is_read_back(const Case& subject) {
  const auto again = parse(print(subject));
  return again && *again == subject;
}

}  // namespace

const Drawing& drawing_of(Kind kind) {
  static constexpr std::array<const Drawing*, kinds.size()> rows{&product_drawing, &calls_drawing};
  return *rows[static_cast<std::size_t>(kind)];
}

std::optional<Case> draw(Entropy& entropy, const Scopes& scopes, Kind kind) {
  const Drawing& row = drawing_of(kind);
  for (int number = 0; number < draws_max; ++number) {
    Case subject = row.draw_once(entropy, scopes);
    if (row.is_met(scopes, subject) && is_read_back(subject)) return subject;
  }
  return std::nullopt;
}

Case generate(Entropy& entropy, const Scopes& scopes, Kind kind) {
  std::optional<Case> subject = draw(entropy, scopes, kind);
  if (!subject) {
    SeededEntropy fixed(0);
    subject = draw(fixed, scopes, kind);
  }
  SHARDCHECK_REQUIRE(subject.has_value(), "scopes_of() has seen that these scopes can be met");
  return *std::move(subject);
}

}  // namespace shardcheck
