#include "case_target.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/faults/fault.h>
#include <shardcheck/properties/judge/conclude.h>
#include <shardcheck/properties/judge/report.h>

#include "case_input.h"
#include "target.h"

namespace shardcheck::fuzz {
namespace {

/// Ours, or ours with the mistake that SHARDCHECK_FAULT names. Exits with 2, after naming all that
/// show in cases of this kind, if none is called so: a search for a mistake that isn't planted
/// would find nothing.
std::unique_ptr<Backend> make_backend() {
  const char* const wanted = std::getenv("SHARDCHECK_FAULT");
  if (wanted == nullptr) return std::make_unique<impl::ShardedBackend>();
  for (const Fault& fault : faults()) {
    if (affects(fault, kind_taken) && fault.name == wanted) return fault.make();
  }
  std::fprintf(stderr, "SHARDCHECK_FAULT: found '%s', expected one of\n", wanted);
  for (const Fault& fault : faults()) {
    if (!affects(fault, kind_taken)) continue;
    std::fprintf(stderr, "  %.*s\n", static_cast<int>(fault.name.size()), fault.name.data());
  }
  std::exit(2);
}

/// One line in four is run again under another schedule, another one in four compared with a
/// related case, a third run in i64 too if its products aren't told: to do all always would cost
/// two thirds of the executions.
CheckOptions options_for(std::string_view line) {
  const std::uint64_t hash = hash_of(line) >> 32;
  return {.repeat = hash % 4 == 0,
          .tokens = hash % 4 == 2,
          .relating = hash % 4 == 1 ? Relating::drawn : Relating::none};
}

}  // namespace

std::optional<std::string> why_unreadable(std::string_view input) {
  const auto subject = read_case(input);
  return subject ? std::nullopt : std::optional<std::string>(subject.error());
}

Outcome run(std::string_view input) {
  static const std::unique_ptr<Backend> backend = make_backend();
  const auto subject = read_case(input);
  if (!subject) return {Outcome::Kind::not_taken, subject.error()};
  if (const Kind kind = kind_of(*subject); kind != kind_taken) {
    return {Outcome::Kind::not_taken, "a case of kind " + std::string(name(kind))};
  }
  if (const auto reason = why_not_run(*subject)) return {Outcome::Kind::not_taken, *reason};
  const Verdict verdict = check(*subject, *backend, options_for(print(*subject)));
  if (is_failure(verdict.status)) return {Outcome::Kind::failed, print(*subject, verdict)};
  return {};
}

}  // namespace shardcheck::fuzz
