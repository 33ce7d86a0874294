// Where subnormal numbers count as zero, neither the model nor an implementation computes what the
// pages say: nothing runs then, and the reason is told.

#include <gtest/gtest.h>

#include "command.h"

namespace shardcheck::tools {
namespace {

// On x86-64, which alone names its register.
TEST(FloatMode, ThatFlushesSubnormalNumbersIsRefused) {
  const Folder folder;
  const Output output = run_command(folder, {"run", "--cases", "10"});
  EXPECT_EQ(output.exit_code, 2) << output.out;
  EXPECT_EQ(output.out, "");
  EXPECT_NE(output.err.find("subnormal operands count as zero (MXCSR 0x9fc0)"), std::string::npos)
      << output.err;
  EXPECT_NE(output.err.find("-ffast-math"), std::string::npos) << output.err;
}

}  // namespace
}  // namespace shardcheck::tools
