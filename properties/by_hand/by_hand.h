#pragma once

/// For the judge's own tests: backends written out by hand. They share nothing with impl/, so that
/// the judge is tested against the definition.
///
///     ByHand backend(Kind::calls, [](const Request& request, Observation& told) {
///       put(request.ranks[0].output, 0, 23);
///       told.owned = {{0}};
///     });
///     check(parsed("all_reduce mesh=x1 n=1 in=i32"), backend)

#include <functional>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>

#include <shardcheck/properties/judge/report.h>

namespace shardcheck {

/// The case of a line that is right.
inline Case parsed(std::string_view line) {
  auto subject = parse(line);
  EXPECT_TRUE(subject.has_value()) << line << "\n" << print(subject.error());
  return *std::move(subject);
}

inline ProductCase parsed_product(std::string_view line) {
  return std::get<ProductCase>(parsed(line));
}

inline CallsCase parsed_calls(std::string_view line) { return std::get<CallsCase>(parsed(line)); }

inline Outcome outcome(const Verdict& verdict, Invariant invariant) {
  return verdict.outcomes[static_cast<std::size_t>(invariant)];
}

/// What is altered, or done at all, once a run has its answer.
using Tampering = std::function<void(const Request&, Observation&)>;

/// Serves one kind, and does nothing but what `alter` does and what a test derives.
class ByHand : public Backend {
 public:
  explicit ByHand(Kind kind, Tampering alter = {}, Promises promises = {})
      : kind_(kind), alter_(std::move(alter)), promises_(promises) {}

  std::string_view name() const override { return "by hand"; }
  bool serves(Kind kind) const override { return kind == kind_; }
  Promises promises() const override { return promises_; }

  Observation run(const Request& request) override {
    Observation observation = answer(request);
    if (alter_ && observation.ending == Ending::finished) alter_(request, observation);
    return observation;
  }

 protected:
  virtual Observation answer(const Request& /*request*/) { return {}; }

 private:
  Kind kind_;
  Tampering alter_;
  Promises promises_;
};

}  // namespace shardcheck
