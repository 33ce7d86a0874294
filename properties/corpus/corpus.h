#pragma once

/// Files of the corpus: one case of any kind, where it comes from, and what is known about its
/// answer from outside. A case whose implementation and model agree may still be wrong in both; a
/// published answer beside it is what tells.
///
///     # Where the case and its answer come from.
///     matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] data=given A=1,2,3,4 B=5,6,7,8
///     = C@0 19 22
///     = sent 8 8
///
///     # ...            a comment, anywhere
///     = C@RANK v v …   the rank's elements of C, in the order of the consumer's lists
///     = result@RANK v v …  collectives: what the rank ends with, in the documented order
///     = sent b b …     bytes that each rank sends in all
///     = plan …         products: the plan, as printed
///     = verdict …      the status, then the first finding's invariant if there is one; without
///                      such a line the verdict must be `pass`
///     = plan-only      products: the case is too large to run: ownership, plan and bytes alone are
///                      compared
///
/// `=` lines follow the case. A file holds one case, and nothing else.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/case.h>

namespace shardcheck {

/// What is known about what one rank ends with.
struct KnownOutput {
  std::int64_t rank = 0;
  std::vector<Bits> elements;  ///< in dtype out

  bool operator==(const KnownOutput&) const = default;
};

struct CorpusFile {
  std::string line;  ///< the case as it stands in the file
  Case subject;
  std::vector<KnownOutput> outputs;
  std::vector<std::int64_t> bytes_sent;  ///< by rank; empty: not said
  std::string plan;                      ///< empty: not said
  std::string verdict = "pass";
  bool is_plan_only = false;
};

struct CorpusError {
  std::string file;        ///< empty for text that came from no file
  std::size_t line = 1;    ///< from 1
  std::size_t column = 1;  ///< of the line, from 1, in bytes
  std::string found;
  std::string expected;
};

/// "known/a.case:3:5: found 'x', expected ..."; one line, no newline.
std::string print(const CorpusError& error);

tl::expected<CorpusFile, CorpusError> parse_corpus_file(std::string_view text);

/// A file that can't be read is an error too.
tl::expected<CorpusFile, CorpusError> read_corpus_file(const std::string& path);

/// Runs the case through check(), and compares what the model expects and what the backend does
/// with the `=` lines. One sentence a mismatch; nothing if all is as known. One thread.
std::vector<std::string> check_known(const CorpusFile& file, Backend& backend);

/// What a line on a rank's elements begins with: "C@" or "result@".
std::string_view output_name(const CorpusFile& file);

}  // namespace shardcheck
