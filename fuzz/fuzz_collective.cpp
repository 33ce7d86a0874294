// Collectives alone and in a row, through check() and our implementation. SHARDCHECK_FAULT=NAME
// plants that mistake, to see how soon it is found.

#include <string>
#include <variant>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/faults/collective_fault.h>
#include <shardcheck/properties/judge/report.h>

#include "case_input.h"
#include "judged.h"
#include "planted_backend.h"
#include "target.h"

namespace shardcheck::fuzz {

std::optional<std::string> why_unreadable(std::string_view input) {
  const auto subject = read_case(input);
  return subject ? std::nullopt : std::optional<std::string>(subject.error());
}

Outcome run(std::string_view input) {
  static const auto backend = make_backend<impl::ShardedBackend>(collective_faults());
  const auto read = read_case(input);
  if (!read) return {Outcome::Kind::not_taken, read.error()};
  const auto* subject = std::get_if<CallsCase>(&*read);
  if (subject == nullptr) return {Outcome::Kind::not_taken, "a product"};
  if (const auto reason = why_not_run(*subject)) return {Outcome::Kind::not_taken, *reason};
  const Verdict verdict = check(*subject, *backend, options_for(print(*subject)));
  if (is_failure(verdict.status)) return {Outcome::Kind::failed, print(*subject, verdict)};
  return {};
}

}  // namespace shardcheck::fuzz
