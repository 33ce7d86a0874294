#include "calls_fit.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <shardcheck/properties/generate/draw_setting.h>

#include "fit.h"

namespace shardcheck::fuzz {
namespace {

/// Counts and destinations of as many members; a member that is new has nothing to say.
void fit_members(CallsCase& subject, std::int64_t members) {
  const auto size = static_cast<std::size_t>(members);
  const bool is_all_to_all =
      subject.calls.size() == 1 && subject.calls.front().collective == Collective::all_to_all;
  if (!is_all_to_all && !subject.counts.empty()) {
    subject.counts.clear();
    subject.n = members;
  }
  if (!subject.counts.empty()) {
    subject.counts.resize(size);
    for (auto& row : subject.counts) row.resize(size);
  }
  if (subject.calls.back().collective != Collective::permute) {
    subject.destinations.clear();
    return;
  }
  const std::size_t known = subject.destinations.size();
  subject.destinations.resize(size, -1);
  for (std::size_t member = 0; member < size; ++member) {
    std::int64_t& to = subject.destinations[member];
    if (to >= members) to = -1;
    if (known == 0) to = static_cast<std::int64_t>((member + 1) % size);
  }
}

}  // namespace

bool any_call(const CallsCase& subject, bool (*is_such)(Collective)) {
  return std::any_of(subject.calls.begin(), subject.calls.end(),
                     [is_such](const Call& call) { return is_such(call.collective); });
}

void fit(CallsCase& subject, Entropy& entropy) {
  std::erase_if(subject.over,
                [&](int axis) { return std::cmp_greater_equal(axis, subject.mesh.axes.size()); });
  const std::int64_t members = member_count(subject);
  fit_members(subject, members);
  if (!subject.counts.empty()) subject.n = 0;
  if (!any_call(subject, divides) || !subject.counts.empty()) {
    subject.split = Split{};
  } else if (!fits(subject.split, subject.n, members)) {
    subject.split = draw_split(entropy, subject.split.rule, subject.n, members);
  }
  if (!any_call(subject, reduces)) subject.op = Operator::sum;
  if (!any_call(subject, has_root)) subject.root = 0;
  subject.root = std::min(subject.root, members - 1);
  const bool is_alone = subject.calls.size() == 1;
  subject.in_place =
      subject.in_place && is_alone && may_be_in_place(subject.calls.front().collective);
  if (!is_alone || !reduces(subject.calls.front().collective)) subject.order = Order::declared;
  if (subject.data.regime != Data::Regime::given) subject.data.given.clear();
}

}  // namespace shardcheck::fuzz
