#pragma once

/// What came out of some cases of a run: counts that add up in any order, and the failures. Workers
/// send it over a pipe, a chunk of cases at a time; the supervisor adds them up.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/generate/goals.h>
#include <shardcheck/properties/judge/verdict.h>

namespace shardcheck::tools {

/// One case that failed.
struct CaseFailure {
  std::int64_t number = 0;  ///< of the case in its run
  std::string line;
  Status status = Status::fail;
  std::string signature;
  std::string reason;
  std::vector<Finding> findings;
  std::int64_t finding_count = 0;  ///< with those that aren't listed
  bool is_from_tokens = false;     ///< as in the verdict
  std::string fold;                ///< see fold_of()
};

CaseFailure case_failure(std::int64_t number, std::string line, const Verdict& verdict);

/// Failures that are alike: the first of them stands for all.
struct FoldedFailure {
  CaseFailure first;
  std::int64_t cases = 0;
};

/// The most that any rank held beyond inputs and output, in bytes and as a share of its bound.
struct HighestTemporaries {
  std::int64_t peak_bytes = 0;
  std::int64_t permille = 0;
};

struct Results {
  Tally tally;
  std::array<std::int64_t, status_names.size()> statuses{};
  std::int64_t trivial = 0;  ///< passes with nothing to contract
  std::array<std::int64_t, model::grade_names.size()> elements_by_grade{};
  std::int64_t elements_rounded = 0;
  HighestTemporaries temporaries;
  /// By invariant, then by outcome.
  std::array<std::array<std::int64_t, 3>, invariants.size()> outcomes{};
  std::map<std::string, FoldedFailure> failures;  ///< by fold_of()
};

/// True for what is_failure() names and for illegal: the generator and a corpus promise legal
/// cases, so that one which can't be meant is a disagreement to look at.
bool fails_a_run(Status status);

/// Failures fold by signature and by the collective and algorithm that reduced the partials.
std::string fold_of(const Case& subject, const Verdict& verdict);

void count(Results& results, std::int64_t number, const Case& subject, std::string_view line,
           const Verdict& verdict);
void count_failure(Results& results, const std::string& fold, CaseFailure failure);
void merge(Results& results, Results&& other);

/// Bytes for a pipe, and back. Both ends are the same build.
std::string to_bytes(const Results& results);
Results from_bytes(std::string_view bytes);

}  // namespace shardcheck::tools
