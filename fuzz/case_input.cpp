#include "case_input.h"

#include <algorithm>

#include <fmt/format.h>

#include <shardcheck/properties/corpus/corpus.h>

namespace shardcheck::fuzz {

tl::expected<Case, std::string> read_case(std::string_view input) {
  auto file = parse_corpus_file(input);
  if (!file) return tl::unexpected<std::string>(print(file.error()));
  return std::move(file->subject);
}

std::string write_case(const Case& subject) { return print(subject) + "\n"; }

std::optional<std::string> why_not_run(const ProductCase& subject) {
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

std::optional<std::string> why_not_run(const CallsCase& subject) {
  if (subject.run.kind == Run::Kind::trace) return "a recorded schedule; `shardcheck replay` it";
  const std::int64_t ranks = rank_count(subject.mesh);
  if (ranks > work::ranks) return fmt::format("{} ranks, at most {}", ranks, work::ranks);
  std::int64_t longest = subject.n;
  for (const auto& row : subject.counts) {
    for (const std::int64_t count : row) longest = std::max(longest, count);
  }
  if (longest > work::length) return fmt::format("a size of {}, at most {}", longest, work::length);
  const std::int64_t operations = ranks * member_count(subject) * longest;
  if (operations > work::operations) {
    return fmt::format("{} operations, at most {}", operations, work::operations);
  }
  return std::nullopt;
}

}  // namespace shardcheck::fuzz
