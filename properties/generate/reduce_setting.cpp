#include "reduce_setting.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>

#include "drawing.h"
#include "plainness.h"

namespace shardcheck {
namespace {

/// Texts that a value is replaced by, the plainest first.
constexpr std::array<std::string_view, 6> plain_values{"0", "1", "2", "3", "4", "-1"};

/// The case again, to be changed.
Setting& add_copy(const Case& subject, std::vector<Case>& candidates) {
  return setting(candidates.emplace_back(subject));
}

/// Seeds below `seed` that are worth a try.
std::vector<std::uint64_t> smaller_seeds(std::uint64_t seed) {
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t smaller = 0; smaller < 8 && smaller < seed; ++smaller) {
    seeds.push_back(smaller);
  }
  if (seed >= 16) seeds.push_back(seed / 2);
  return seeds;
}

void simplify_seeded(const Case& subject, std::vector<Case>& candidates) {
  const Drawing& row = drawing_of(kind_of(subject));
  const Data& data = setting(subject).data;
  if (row.value_count(subject) <= limits::given_values_when_minimised) {
    candidates.push_back(row.with_values_given(subject));
  }
  if (data.regime != Data::Regime::ints) {
    add_copy(subject, candidates).data.regime = Data::Regime::ints;
  }
  for (const std::uint64_t seed : smaller_seeds(data.seed)) {
    add_copy(subject, candidates).data.seed = seed;
  }
}

/// All values, then those of each list.
void set_all(const Case& subject, Bits bits, std::vector<Case>& candidates) {
  for (std::vector<Bits>& values : add_copy(subject, candidates).data.given) {
    std::ranges::fill(values, bits);
  }
  for (std::size_t list = 0; list < setting(subject).data.given.size(); ++list) {
    std::ranges::fill(add_copy(subject, candidates).data.given[list], bits);
  }
}

void set_each(const Case& subject, Bits bits, std::vector<Case>& candidates) {
  const std::vector<std::vector<Bits>>& given = setting(subject).data.given;
  for (std::size_t list = 0; list < given.size(); ++list) {
    for (std::size_t place = 0; place < given[list].size(); ++place) {
      if (given[list][place] == bits) continue;
      add_copy(subject, candidates).data.given[list][place] = bits;
    }
  }
}

/// What is left of a number's text when its fraction, or its last digit, goes.
void shorten_each(const Case& subject, std::vector<Case>& candidates) {
  const Dtype in = setting(subject).dtypes.in;
  const std::vector<std::vector<Bits>>& given = setting(subject).data.given;
  for (std::size_t list = 0; list < given.size(); ++list) {
    for (std::size_t place = 0; place < given[list].size(); ++place) {
      const std::string text = print_value(in, given[list][place]);
      const auto point = text.find('.');
      for (const std::size_t length : {point, text.size() - 1}) {
        if (length == std::string::npos || length == 0) continue;
        const auto bits = parse_value(in, text.substr(0, length));
        if (bits) add_copy(subject, candidates).data.given[list][place] = *bits;
      }
    }
  }
}

void simplify_given(const Case& subject, std::vector<Case>& candidates) {
  const Dtype in = setting(subject).dtypes.in;
  for (const auto simplify : {&set_all, &set_each}) {
    for (const std::string_view text : plain_values) {
      if (const auto bits = parse_value(in, text)) simplify(subject, *bits, candidates);
    }
  }
  shorten_each(subject, candidates);
}

}  // namespace

void reduce_names(const Case& subject, std::vector<Case>& candidates) {
  if (setting(subject).mesh.axes.size() > plain_axis_names.size()) return;
  auto& axes = add_copy(subject, candidates).mesh.axes;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) axes[axis].name = plain_axis_names[axis];
}

void reduce_dtypes(const Case& subject, std::vector<Case>& candidates) {
  const DtypeCombination& now = setting(subject).dtypes;
  for (const DtypeCombination& plainer : drawing_of(kind_of(subject)).plainer_dtypes(now)) {
    if (plainer == now) continue;
    Case candidate = subject;
    if (set_dtypes(setting(candidate), plainer)) candidates.push_back(std::move(candidate));
  }
}

void reduce_promise_and_run(const Case& subject, std::vector<Case>& candidates) {
  add_copy(subject, candidates).order = Order::declared;
  add_copy(subject, candidates).run = Run{};
  const Run& run = setting(subject).run;
  if (run.kind == Run::Kind::threads || run.kind == Run::Kind::trace) return;
  for (const std::uint64_t seed : smaller_seeds(run.seed)) {
    add_copy(subject, candidates).run.seed = seed;
  }
  for (std::int64_t depth = 1; depth < run.depth; ++depth) {
    add_copy(subject, candidates).run.depth = depth;
  }
}

void reduce_data(const Case& subject, std::vector<Case>& candidates) {
  if (setting(subject).data.regime == Data::Regime::given) {
    simplify_given(subject, candidates);
  } else {
    simplify_seeded(subject, candidates);
  }
}

bool set_dtypes(Setting& setting, const DtypeCombination& combination) {
  for (std::vector<Bits>& values : setting.data.given) {
    for (Bits& bits : values) {
      const auto converted = parse_value(combination.in, print_value(setting.dtypes.in, bits));
      if (!converted) return false;
      bits = *converted;
    }
  }
  setting.dtypes = combination;
  return true;
}

}  // namespace shardcheck
