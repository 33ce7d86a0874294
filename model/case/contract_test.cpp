#include "contract.h"

#include <gtest/gtest.h>

namespace shardcheck {
namespace {

TEST(Contract, NothingHappensWhileItHolds) { SHARDCHECK_REQUIRE(1 + 1 == 2, "arithmetic"); }

TEST(ContractDeathTest, ABrokenOneSaysWhatWhyAndWhere) {
  EXPECT_DEATH(SHARDCHECK_REQUIRE(1 + 1 == 3, "a reason"),
               "contract_test.cpp:[0-9]+: broken contract: 1 \\+ 1 == 3\n  because: a reason");
}

TEST(ContractDeathTest, ABrokenOnePrintsTheCaseAtWork) {
  set_case_at_work("matmul i=1");
  EXPECT_DEATH(SHARDCHECK_REQUIRE(false, "a reason"), "case: matmul i=1");
  set_case_at_work({});
}

}  // namespace
}  // namespace shardcheck
