#include "corpus.h"

#include <gtest/gtest.h>

#include <shardcheck/impl/backend.h>

namespace shardcheck {
namespace {

const std::string worked_example =
    "# a comment\n"
    "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local+reduce_scatter "
    "data=given A=1,2,3,4 B=5,6,7,8\n"
    "\n";

/// The mismatches of the worked example with more `=` lines.
std::vector<std::string> mismatches(const std::string& known) {
  const auto file = parse_corpus_file(worked_example + known);
  if (!file) return {print(file.error())};
  impl::ShardedBackend backend;
  return check_known(*file, backend);
}

std::string error(const std::string& text) {
  const auto file = parse_corpus_file(text);
  return file ? "it is a corpus file" : print(file.error());
}

using Sentences = std::vector<std::string>;

TEST(Corpus, HoldsACaseAndWhatIsKnown) {
  const auto file = parse_corpus_file(worked_example +
                                      "= C@1 43 50\n# between\n= sent 8 8\n"
                                      "= plan local+reduce_scatter\n= verdict fail coverage");
  ASSERT_TRUE(file) << print(file.error());
  EXPECT_EQ(std::get<ProductCase>(file->subject).k, 2);
  // 43 and 50 in f32: 2^5·1.34375 and 2^5·1.5625.
  EXPECT_EQ(file->outputs, (std::vector<KnownOutput>{{1, {0x422C0000, 0x42480000}}}));
  EXPECT_EQ(file->bytes_sent, (std::vector<std::int64_t>{8, 8}));
  EXPECT_EQ(file->plan, "local+reduce_scatter:C/x");
  EXPECT_EQ(file->verdict, "fail coverage");
}

TEST(Corpus, AnythingElseIsAnErrorWithLineAndColumn) {
  EXPECT_EQ(error(""), "1:1: found the end of the file, expected a case");
  EXPECT_EQ(error("# only\n# comments\n"), "3:1: found the end of the file, expected a case");
  EXPECT_EQ(error("= sent 8 8\n"),
            "1:1: found '= sent 8 8', expected a case before the first = line");
  EXPECT_EQ(error(worked_example + "note\n"),
            "4:1: found 'note', expected one case a file, then = lines and comments");
  EXPECT_EQ(error(worked_example + "= C@2 1\n"), "4:3: found 'C@2', expected C@ and a rank");
  EXPECT_EQ(error(worked_example + "= C@0 19 zwei\n"),
            "4:10: found 'zwei', expected a value exact in f32");
  EXPECT_EQ(error(worked_example + "= C@0 1 2\n= C@0 1 2\n"),
            "5:3: found 'C@0', expected each rank once");
  EXPECT_EQ(error(worked_example + "= sent 8\n"),
            "4:3: found 'sent', expected 2 numbers, one a rank");
  EXPECT_EQ(error(worked_example + "= sent 8 -8\n"),
            "4:10: found '-8', expected a number of bytes");
  EXPECT_EQ(error(worked_example + "= bytes 8 8\n"),
            "4:3: found 'bytes', expected = and C@RANK, sent, plan, verdict or plan-only");
  EXPECT_EQ(error(worked_example + "=\n"),
            "4:1: found '=', expected = and C@RANK, sent, plan, verdict or plan-only");
}

TEST(Corpus, AnErrorInTheCaseOrThePlanKeepsItsColumn) {
  EXPECT_EQ(error("# one\nmatmul kk=3\n").substr(0, 4), "2:8:");
  EXPECT_EQ(error(worked_example + "= plan local+nothing:C/x\n").substr(0, 5), "4:14:");
}

TEST(Corpus, AMissingFileAndAFolderAreErrors) {
  EXPECT_FALSE(read_corpus_file("no/such/file.case"));
  EXPECT_FALSE(read_corpus_file("."));
}

TEST(Corpus, WhatIsKnownIsComparedWithModelAndBackend) {
  EXPECT_EQ(mismatches("= C@0 19 22\n= C@1 43 50\n= sent 8 8\n= plan local+reduce_scatter\n"),
            Sentences{});
  EXPECT_EQ(mismatches("= C@0 19 21\n"),
            (Sentences{"C[0,1] on rank 0: known 21, the model allows 22",
                       "C[0,1] on rank 0: known 21, the backend gave 22"}));
  EXPECT_EQ(mismatches("= C@1 43\n"),
            Sentences{"C@1: 1 values are known, the consumer's layout has 2"});
  EXPECT_EQ(mismatches("= sent 8 9\n"),
            (Sentences{"sent: known 8 9, the model's 8 8", "sent: known 8 9, the backend's 8 8"}));
  EXPECT_EQ(mismatches("= plan local+all_reduce:C/x\n"),
            (Sentences{"plan: known local+all_reduce:C/x, the model's local+reduce_scatter:C/x",
                       "plan: known local+all_reduce:C/x, the backend's "
                       "local+reduce_scatter:C/x"}));
  EXPECT_EQ(mismatches("= verdict fail value\n"), Sentences{"verdict: known fail value, got pass"});
  EXPECT_EQ(mismatches("= plan-only\n= C@0 19 21\n= verdict fail value\n"),
            Sentences{"C[0,1] on rank 0: known 21, the model allows 22"});
}

TEST(Corpus, AnIllegalCaseMayBeKnownAsSuch) {
  const std::string line = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] plan=local\n";
  impl::ShardedBackend backend;
  EXPECT_EQ(check_known(*parse_corpus_file(line + "= verdict illegal\n"), backend), Sentences{});
  EXPECT_EQ(check_known(*parse_corpus_file(line), backend),
            Sentences{"illegal: the plan ends with C partial over x"});
}

TEST(Corpus, HoldsACaseOfCollectivesAndWhatIsKnown) {
  const std::string line = "reduce_scatter mesh=x2 n=4 in=i32 data=given X=1,2,3,4|5,6,7,8\n";
  const auto mismatches_of = [&](const std::string& known) {
    const auto file = parse_corpus_file(line + known);
    if (!file) return Sentences{print(file.error())};
    impl::ShardedBackend backend;
    return check_known(*file, backend);
  };
  EXPECT_EQ(mismatches_of("= result@0 6 8\n= result@1 10 12\n= sent 8 8\n"), Sentences{});
  EXPECT_EQ(mismatches_of("= result@0 6 9\n"),
            (Sentences{"element 1 on rank 0: known 9, the model allows 8",
                       "element 1 on rank 0: known 9, the backend gave 8"}));
  EXPECT_EQ(mismatches_of("= result@1 10\n"),
            Sentences{"result@1: 1 values are known, the result has 2"});
  EXPECT_EQ(mismatches_of("= sent 8 9\n"),
            (Sentences{"sent: known 8 9, the model's 8 8", "sent: known 8 9, the backend's 8 8"}));
  EXPECT_EQ(mismatches_of("= verdict fail value\n"),
            Sentences{"verdict: known fail value, got pass"});
  EXPECT_EQ(mismatches_of("= plan local\n"),
            Sentences{"2:3: found 'plan', expected = and result@RANK, sent or verdict"});
  EXPECT_EQ(mismatches_of("= C@0 6 8\n"),
            Sentences{"2:3: found 'C@0', expected = and result@RANK, sent or verdict"});
}

}  // namespace
}  // namespace shardcheck
