// Whole sharded products, through check() and our implementation. SHARDCHECK_FAULT=NAME plants that
// mistake (`shardcheck list` names them), to see how soon it is found.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/corpus/corpus.h>
#include <shardcheck/properties/faults/fault.h>
#include <shardcheck/properties/generate/case_number.h>
#include <shardcheck/properties/judge/conclude.h>
#include <shardcheck/properties/judge/report.h>

#include "case_input.h"
#include "target.h"

namespace shardcheck::fuzz {
namespace {

/// Exits if there is no such fault: a search for a fault that isn't planted would find nothing.
std::unique_ptr<Backend> make_backend() {
  const char* wanted = std::getenv("SHARDCHECK_FAULT");
  if (wanted == nullptr) return std::make_unique<impl::ShardedMatmul>();
  for (const Fault& fault : faults()) {
    if (fault.name == wanted) return fault.make();
  }
  std::fprintf(stderr, "SHARDCHECK_FAULT: found '%s', expected a name that `shardcheck list` has\n",
               wanted);
  std::exit(2);
}

/// One case in four is run again under another schedule, another one in four compared with a
/// related case: to do both always would cost two thirds of the executions.
CheckOptions options_for(const Case& subject) {
  const std::uint64_t hash = hash_of(print(subject)) >> 32;
  return {.repeat = hash % 4 == 0, .relating = hash % 4 == 1 ? Relating::drawn : Relating::none};
}

bool is_failure(Status status) {
  switch (status) {
    case Status::fail:
    case Status::nondeterministic:
    case Status::timeout: return true;
    case Status::illegal:
    case Status::unsupported:
    case Status::vacuous:
    case Status::pass: return false;
  }
  return true;
}

}  // namespace

/// Collectives alone can be read, but aren't run here.
std::optional<std::string> why_unreadable(std::string_view input) {
  const auto file = parse_corpus_file(input);
  return file ? std::nullopt : std::optional<std::string>(print(file.error()));
}

Outcome run(std::string_view input) {
  static const std::unique_ptr<Backend> backend = make_backend();
  const auto subject = read_case(input);
  if (!subject) return {Outcome::Kind::not_taken, subject.error()};
  if (const auto reason = why_not_run(*subject)) return {Outcome::Kind::not_taken, *reason};
  const Verdict verdict = check(*subject, *backend, options_for(*subject));
  if (is_failure(verdict.status)) return {Outcome::Kind::failed, print(*subject, verdict)};
  return {};
}

}  // namespace shardcheck::fuzz
