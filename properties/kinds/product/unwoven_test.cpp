#include "unwoven.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

std::string unwoven_text(std::string_view text) {
  const Mesh mesh{{{"x", 2}, {"y", 2}}};
  const auto plan = parse_plan(mesh, text);
  return plan ? print(mesh, unwoven(*plan)) : print(plan.error());
}

// docs/plans.md, "Woven steps", column "stands for".
TEST(Unwoven, StandsForThePlainSteps) {
  EXPECT_EQ(unwoven_text("gather_local:A/x"), "gather:A/x+local");
  EXPECT_EQ(unwoven_text("gather_local:B/y"), "gather:B/y+local");
  EXPECT_EQ(unwoven_text("local_scatter:C/y"), "local+reduce_scatter:C/y");
  EXPECT_EQ(unwoven_text("summa:x/y"), "gather:A/y+gather:B/x+local");
  EXPECT_EQ(unwoven_text("cannon:y/x"), "gather:A/x+gather:B/y+local");
}

TEST(Unwoven, LeavesOtherStepsAsTheyAre) {
  const std::string plain = "slice:A/x+exchange:B[k/x,j]+local+reduce_scatter:C/x+gather:C/x";
  EXPECT_EQ(unwoven_text(plain), plain);
  EXPECT_EQ(unwoven_text("slice:A/x+local_scatter:C/x+all_reduce:C/y"),
            "slice:A/x+local+reduce_scatter:C/x+all_reduce:C/y");
}

}  // namespace
}  // namespace shardcheck
