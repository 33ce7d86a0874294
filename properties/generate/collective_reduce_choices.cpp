#include <array>
#include <string>
#include <string_view>

#include <shardcheck/model/case/collective_inputs.h>
#include <shardcheck/model/case/collective_rules.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/model/collective/meaning.h>

#include "collective_reductions.h"
#include "collective_shrink.h"
#include "plainness.h"

namespace shardcheck {
namespace {

/// The same numbers in another dtype; false if one of them doesn't exist there.
bool set_dtype(CallsCase& subject, Dtype in, Dtype acc) {
  for (std::vector<Bits>& values : subject.data.given) {
    for (Bits& bits : values) {
      const auto converted = parse_value(in, print_value(subject.dtypes.in, bits));
      if (!converted) return false;
      bits = *converted;
    }
  }
  subject.dtypes = {in, acc, in, in};
  return true;
}

void simplify_dtypes(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  for (const Dtype plain : dtypes_by_plainness) {
    for (const Dtype acc : {plain, info(plain).is_float ? Dtype::f32 : plain, subject.dtypes.acc}) {
      CallsCase candidate = subject;
      if (set_dtype(candidate, plain, acc)) candidates.push_back(std::move(candidate));
    }
  }
}

void simplify_run(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  candidates.push_back(subject);
  candidates.back().run = Run{};
  if (subject.run.kind == Run::Kind::threads || subject.run.kind == Run::Kind::trace) return;
  for (std::uint64_t seed = 0; seed < 8 && seed < subject.run.seed; ++seed) {
    candidates.push_back(subject);
    candidates.back().run.seed = seed;
  }
  for (std::int64_t depth = 1; depth < subject.run.depth; ++depth) {
    candidates.push_back(subject);
    candidates.back().run.depth = depth;
  }
}

CallsCase with_values_given(const CallsCase& subject) {
  CallsCase candidate = subject;
  const CollectiveInputs inputs(subject);
  const model::Meaning meaning(subject);
  candidate.data.regime = Data::Regime::given;
  candidate.seed = 0;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    std::vector<Bits>& values = candidate.data.given.emplace_back();
    const model::IndexList& positions = meaning.input(meaning.member_of(rank));
    for (std::size_t at = 0; at < positions.size(); ++at) {
      values.push_back(inputs.at(rank, static_cast<std::int64_t>(at), positions[at]));
    }
  }
  return candidate;
}

void simplify_seeded(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  std::int64_t values = 0;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    values += input_elements(subject, rank);
  }
  if (values <= limits::given_values_when_minimised) {
    candidates.push_back(with_values_given(subject));
  }
  candidates.push_back(subject);
  candidates.back().data.regime = Data::Regime::ints;
  for (std::uint64_t seed = 0; seed < 8 && seed < subject.data.seed; ++seed) {
    candidates.push_back(subject);
    candidates.back().data.seed = seed;
  }
}

void simplify_given(const CallsCase& subject, std::vector<CallsCase>& candidates) {
  for (const std::string_view text : {"0", "1", "2", "3", "-1"}) {
    const auto bits = parse_value(subject.dtypes.in, text);
    if (!bits) continue;
    candidates.push_back(subject);
    for (auto& values : candidates.back().data.given) {
      for (Bits& value : values) value = *bits;
    }
    for (std::size_t rank = 0; rank < subject.data.given.size(); ++rank) {
      for (std::size_t at = 0; at < subject.data.given[rank].size(); ++at) {
        candidates.push_back(subject);
        candidates.back().data.given[rank][at] = *bits;
      }
    }
  }
}

}  // namespace

void reduce_collective_choices(const CallsCase& subject,
                               std::vector<CallsCase>& candidates) {
  candidates.push_back(subject);
  candidates.back().root = 0;
  if (subject.root > 1) {
    candidates.push_back(subject);
    candidates.back().root = 1;
  }
  for (std::size_t op = 0; op < static_cast<std::size_t>(subject.op); ++op) {
    candidates.push_back(subject);
    candidates.back().op = static_cast<Operator>(op);
  }
  simplify_dtypes(subject, candidates);
  for (std::size_t call = 0; call < subject.calls.size(); ++call) {
    for (const Algorithm algorithm : algorithms_of(subject.calls[call].collective)) {
      candidates.push_back(subject);
      candidates.back().calls[call].algorithm = algorithm;
    }
  }
  candidates.push_back(subject);
  candidates.back().in_place = false;
  candidates.push_back(subject);
  candidates.back().order = Order::declared;
  simplify_run(subject, candidates);
}

void reduce_collective_data(const CallsCase& subject,
                            std::vector<CallsCase>& candidates) {
  if (subject.data.regime == Data::Regime::given) {
    simplify_given(subject, candidates);
  } else {
    simplify_seeded(subject, candidates);
  }
}

}  // namespace shardcheck
