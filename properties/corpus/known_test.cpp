// Answers from outside, and the seeds of searches.

#include <gtest/gtest.h>

#include "corpus_folder.h"

namespace shardcheck {
namespace {

TEST(Known, AnswersFromOutsideAreGiven) { expect_known("known", 30); }

TEST(Known, SeedsAreReadAndPass) { expect_known("seeds", 50); }

}  // namespace
}  // namespace shardcheck
