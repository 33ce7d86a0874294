#include <array>
#include <string>

#include <fmt/format.h>

#include <shardcheck/model/expectation/expectation.h>

#include "drawing.h"
#include "goals.h"
#include "tally_parts.h"

namespace shardcheck {
namespace {

/// Dimensions that every kind has, each behind the kind's prefix.
class Counting {
 public:
  Counting(Tally& tally, std::string_view prefix) : tally_(tally), prefix_(prefix) {}

  void count(const Setting& setting) const {
    add_to("in", info(setting.dtypes.in).name);
    add_to("order", name(setting.order));
    add_to("run", name(setting.run.kind));
    add_to("data", name(setting.data.regime));
  }

  /// How much of what could go wrong the data would have shown, by regime.
  void count_blindness(Data::Regime regime, const Verdict& verdict) const {
    if (verdict.alterations_asked == 0) return;
    auto& counts = counts_of("faults shown");
    const std::string regime_name(name(regime));
    counts[regime_name + " shown"] += verdict.alterations_asked - verdict.alterations_blind;
    counts[regime_name + " blind"] += verdict.alterations_blind;
  }

  /// Status, invariants, grades and relations.
  void count(const Verdict& verdict) const {
    constexpr std::array<std::string_view, 3> outcomes{"not observed", "holds", "broken"};
    add_to("status", status_names[static_cast<std::size_t>(verdict.status)]);
    for (const InvariantInfo& entry : invariants) {
      const auto index = static_cast<std::size_t>(entry.invariant);
      const auto outcome = static_cast<std::size_t>(verdict.outcomes[index]);
      add_to(fmt::format("invariant {}", entry.name), outcomes[outcome]);
    }
    for (std::size_t grade = 0; grade < model::grade_names.size(); ++grade) {
      const std::int64_t elements = verdict.elements_by_grade[grade];
      if (elements == 0) continue;
      counts_of("grade")[std::string(model::grade_names[grade])] += elements;
    }
    if (verdict.elements_rounded > 0) add_to("shape", "a value that rounded");
    for (const Relation relation : verdict.relations) add_to("relation", name(relation));
  }

 private:
  std::map<std::string, std::int64_t>& counts_of(std::string_view dimension) const {
    return tally_.counts[fmt::format("{}{}", prefix_, dimension)];
  }

  void add_to(std::string_view dimension, std::string_view value) const {
    ++counts_of(dimension)[std::string(value)];
  }

  Tally& tally_;
  std::string_view prefix_;
};

}  // namespace

void add(Tally& tally, const std::string& dimension, std::string_view value) {
  ++tally.counts[dimension][std::string(value)];
}

void count(Tally& tally, const Case& subject, const Verdict& verdict) {
  ++tally.cases;
  const Drawing& row = drawing_of(kind_of(subject));
  add(tally, "kind", name(row.kind));
  row.count_own(tally, subject, verdict);
  const Counting counting(tally, row.prefix);
  counting.count(setting(subject));
  counting.count_blindness(setting(subject).data.regime, verdict);
  counting.count(verdict);
}

void merge(Tally& tally, const Tally& other) {
  tally.cases += other.cases;
  for (const auto& [dimension, values] : other.counts) {
    for (const auto& [value, cases] : values) tally.counts[dimension][value] += cases;
  }
}

}  // namespace shardcheck
