// Whole sharded products, through check() and our implementation. SHARDCHECK_FAULT=NAME plants that
// mistake (`shardcheck list` names them), to see how soon it is found.

#include <string>
#include <variant>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/faults/fault.h>
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
  static const auto backend = make_backend<impl::ShardedBackend>(faults());
  const auto read = read_case(input);
  if (!read) return {Outcome::Kind::not_taken, read.error()};
  const ProductCase* subject = std::get_if<ProductCase>(&*read);
  if (subject == nullptr) return {Outcome::Kind::not_taken, "a case of collectives"};
  if (const auto reason = why_not_run(*subject)) return {Outcome::Kind::not_taken, *reason};
  const Verdict verdict = check(*subject, *backend, options_for(print(*subject)));
  if (is_failure(verdict.status)) return {Outcome::Kind::failed, print(*subject, verdict)};
  return {};
}

}  // namespace shardcheck::fuzz
