#include "case_input.h"

#include <algorithm>
#include <array>
#include <variant>

#include <fmt/format.h>

#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/corpus/corpus.h>

namespace shardcheck::fuzz {
namespace {

std::optional<std::string> why_too_long(std::int64_t longest, std::int64_t longest_max) {
  if (longest <= longest_max) return std::nullopt;
  return fmt::format("a size of {}, at most {}", longest, longest_max);
}

std::optional<std::string> why_too_many(std::int64_t operations) {
  if (operations <= work::operations) return std::nullopt;
  return fmt::format("{} operations, at most {}", operations, work::operations);
}

std::optional<std::string> why_too_much(std::int64_t ranks, const ProductCase& subject) {
  const auto [i, j, k] = std::array{subject.i, subject.j, subject.k};
  if (auto why = why_too_long(std::max({i, j, k}), work::extent)) return why;
  return why_too_many(i * k + k * j + ranks * i * j + i * j * k);
}

std::optional<std::string> why_too_much(std::int64_t ranks, const CallsCase& subject) {
  std::int64_t longest = subject.n;
  for (const auto& row : subject.counts) {
    for (const std::int64_t count : row) longest = std::max(longest, count);
  }
  if (auto why = why_too_long(longest, work::length)) return why;
  return why_too_many(ranks * member_count(subject) * longest);
}

}  // namespace

tl::expected<Case, std::string> read_case(std::string_view input) {
  auto file = parse_corpus_file(input);
  if (!file) return tl::unexpected<std::string>(print(file.error()));
  return std::move(file->subject);
}

std::string write_case(const Case& subject) { return print(subject) + "\n"; }

std::optional<std::string> why_not_run(const Case& subject) {
  const Setting& all = setting(subject);
  if (all.run.kind == Run::Kind::trace) return "a recorded schedule; `shardcheck replay` it";
  const std::int64_t ranks = rank_count(all.mesh);
  if (ranks > work::ranks) return fmt::format("{} ranks, at most {}", ranks, work::ranks);
  return std::visit([&](const auto& one) { return why_too_much(ranks, one); }, subject);
}

}  // namespace shardcheck::fuzz
