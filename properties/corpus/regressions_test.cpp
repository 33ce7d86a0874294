// What once failed and was mended.

#include <gtest/gtest.h>

#include "corpus_folder.h"

namespace shardcheck {
namespace {

TEST(Regressions, StayFixed) { expect_known("regressions", 1); }

}  // namespace
}  // namespace shardcheck
