#include "case_input.h"

#include <algorithm>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/corpus/corpus.h>

namespace shardcheck::fuzz {

tl::expected<Case, std::string> read_case(std::string_view input) {
  auto file = parse_corpus_file(input);
  if (!file) return tl::unexpected<std::string>(print(file.error()));
  // Collectives alone have no target of their own.
  Case* product = std::get_if<Case>(&file->subject);
  if (product == nullptr) return tl::unexpected<std::string>("a case of collectives");
  return std::move(*product);
}

std::string write_case(const Case& subject) { return print(subject) + "\n"; }

std::optional<std::string> why_not_run(const Case& subject) {
  if (subject.run.kind == Run::Kind::trace) return "a recorded schedule; `shardcheck replay` it";
  const std::int64_t ranks = rank_count(subject.mesh);
  if (ranks > work::ranks) return fmt::format("{} ranks, at most {}", ranks, work::ranks);
  const std::int64_t longest = std::max({subject.i, subject.j, subject.k});
  if (longest > work::extent) return fmt::format("a size of {}, at most {}", longest, work::extent);
  const std::int64_t operations = subject.i * subject.k + subject.k * subject.j +
                                  ranks * subject.i * subject.j + subject.i * subject.j * subject.k;
  if (operations > work::operations) {
    return fmt::format("{} operations, at most {}", operations, work::operations);
  }
  return std::nullopt;
}

}  // namespace shardcheck::fuzz
