#include "relating.h"

#include <algorithm>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>

#include "conclude.h"
#include "report.h"

namespace shardcheck {

Finding related_finding(Relation relation, std::string_view what, const Case& related) {
  return {.invariant = Invariant::metamorphic,
          .kind = fmt::format("{}_{}", name(relation), what),
          .evidence = "related case: " + print(related)};
}

Finding fails_alone(Relation relation, const Case& related, const Verdict& alone) {
  Finding finding = related_finding(relation, "fails", related);
  finding.allowed = "holds, as the case itself does";
  finding.got = print(related, alone.findings.front());
  return finding;
}

std::vector<Relation> relations_in_turn(Kind kind) {
  std::vector<Relation> order;
  for (const RelationInfo& entry : relations) {
    if (is_of(entry.relation, kind)) order.push_back(entry.relation);
  }
  return order;
}

std::vector<Relation> relations_drawn(Kind kind, std::string_view line) {
  std::vector<Relation> order = relations_in_turn(kind);
  const auto first = static_cast<std::ptrdiff_t>((hash_of(line) >> 32) % order.size());
  std::rotate(order.begin(), order.begin() + first, order.end());
  return order;
}

std::optional<Relation> relation_of(std::string_view signature) {
  constexpr std::string_view prefix = "metamorphic/";
  static_assert(prefix.substr(0, prefix.size() - 1) == name(Invariant::metamorphic));
  if (!signature.starts_with(prefix)) return std::nullopt;
  const std::string_view kind = signature.substr(prefix.size());
  return relation_named(kind.substr(0, kind.rfind('_')));
}

}  // namespace shardcheck
