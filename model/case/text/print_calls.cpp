#include <algorithm>

#include <fmt/core.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>
#include "calls_fields.h"
#include "data_text.h"
#include "layout_text.h"
#include "split_text.h"

namespace shardcheck {
namespace {

std::string key_and(CollectiveKey key, std::string_view value) {
  return fmt::format(" {}={}", info(key).name, value);
}

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    if (!text.empty()) text += ',';
    text += number < 0 ? "-" : std::to_string(number);
  }
  return text;
}

std::string print_over(const CallsCase& subject) {
  if (subject.over.size() == subject.mesh.axes.size()) return {};
  std::string text;
  for (const int axis : subject.over) {
    if (!text.empty()) text += '/';
    text += subject.mesh.axes[static_cast<std::size_t>(axis)].name;
  }
  return key_and(CollectiveKey::over, text);
}

std::string print_size(const CallsCase& subject) {
  if (subject.counts.empty()) {
    std::string text = key_and(CollectiveKey::n, std::to_string(subject.n));
    if (subject.split != Split{}) {
      text += key_and(CollectiveKey::split_n, print_split(subject.split));
    }
    return text;
  }
  std::string rows;
  for (std::size_t row = 0; row < subject.counts.size(); ++row) {
    if (row > 0) rows += '|';
    rows += joined(subject.counts[row]);
  }
  return key_and(CollectiveKey::counts, rows);
}

bool is_to_the_next(const std::vector<std::int64_t>& destinations) {
  const auto members = static_cast<std::int64_t>(destinations.size());
  for (std::int64_t m = 0; m < members; ++m) {
    if (destinations[static_cast<std::size_t>(m)] != (m + 1) % members) return false;
  }
  return true;
}

std::string print_dtypes(const DtypeCombination& d) {
  std::string text;
  if (d.in != Dtype::f32) text += key_and(CollectiveKey::in, info(d.in).name);
  const Dtype usual = info(d.in).is_float ? default_acc(d.in) : d.in;
  if (d.acc != usual) text += key_and(CollectiveKey::acc, info(d.acc).name);
  return text;
}

std::string print_algorithms(const std::vector<Call>& calls) {
  const bool is_default = std::all_of(calls.begin(), calls.end(), [](const Call& call) {
    return call.algorithm == algorithms_of(call.collective).front();
  });
  if (is_default) return {};
  std::string text;
  for (const Call& call : calls) {
    if (!text.empty()) text += '+';
    text += name(call.algorithm);
  }
  return key_and(CollectiveKey::algorithm, text);
}

std::string print_values(const CallsCase& subject) {
  if (subject.data.regime == Data::Regime::ints && subject.data.seed == 0) return {};
  const std::string_view regime = regimes[static_cast<std::size_t>(subject.data.regime)].name;
  if (subject.data.regime != Data::Regime::given) {
    return key_and(CollectiveKey::data, fmt::format("{}:{}", regime, subject.data.seed));
  }
  std::string text = key_and(CollectiveKey::data, regime) + key_and(CollectiveKey::x, "");
  for (std::size_t rank = 0; rank < subject.data.given.size(); ++rank) {
    if (rank > 0) text += '|';
    text += print_values(subject.dtypes.in, subject.data.given[rank]);
  }
  return text;
}

}  // namespace

std::string print(const CallsCase& subject) {
  std::string text;
  for (const Call& call : subject.calls) {
    if (!text.empty()) text += '+';
    text += name(call.collective);
  }
  if (!subject.mesh.axes.empty()) text += key_and(CollectiveKey::mesh, print_mesh(subject.mesh));
  text += print_over(subject);
  text += print_size(subject);
  if (!is_to_the_next(subject.destinations)) {
    text += key_and(CollectiveKey::to, joined(subject.destinations));
  }
  if (subject.op != Operator::sum) text += key_and(CollectiveKey::op, name(subject.op));
  if (subject.root != 0) text += key_and(CollectiveKey::root, std::to_string(subject.root));
  if (subject.in_place) text += key_and(CollectiveKey::in_place, "yes");
  text += print_dtypes(subject.dtypes);
  text += print_algorithms(subject.calls);
  if (subject.order != Order::declared) {
    text += key_and(CollectiveKey::order, name(subject.order));
  }
  text += print_values(subject);
  text += print_run(subject.run);
  return text;
}

}  // namespace shardcheck
