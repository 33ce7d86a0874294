#include "float_environment.h"

#include <cfenv>
#include <thread>

#include <gtest/gtest.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace shardcheck {
namespace {

/// As it was, whatever a test does.
class Restored {
 public:
  Restored() { std::fegetenv(&before_); }
  ~Restored() { std::fesetenv(&before_); }
  Restored(const Restored&) = delete;
  Restored& operator=(const Restored&) = delete;

 private:
  std::fenv_t before_;
};

TEST(FloatEnvironment, IsRightAtTheStartAndInANewThread) {
  EXPECT_EQ(float_environment_problem(), "");
  std::string_view in_thread = "not asked";
  std::thread([&] { in_thread = float_environment_problem(); }).join();
  EXPECT_EQ(in_thread, "");
}

TEST(FloatEnvironment, NamesEveryOtherWayToRound) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const Restored restored;
    ASSERT_EQ(std::fesetround(mode), 0);
    EXPECT_EQ(float_environment_problem(), "results are not rounded to nearest") << mode;
  }
  EXPECT_EQ(float_environment_problem(), "");
}

#if defined(__x86_64__)
TEST(FloatEnvironment, NamesWhatBecomesOfSubnormals) {
  constexpr unsigned flush_to_zero = 0x8000;
  constexpr unsigned subnormals_are_zero = 0x0040;
  const Restored restored;
  const unsigned before = _mm_getcsr();
  _mm_setcsr(before | flush_to_zero);
  EXPECT_EQ(float_environment_problem(), "subnormal results are flushed to zero");
  _mm_setcsr(before | subnormals_are_zero);
  EXPECT_EQ(float_environment_problem(), "subnormal operands count as zero");
  _mm_setcsr(before);
  EXPECT_EQ(float_environment_problem(), "");
}

TEST(FloatEnvironment, IsWrittenAsTheRegisterWithoutItsFlags) {
  const Restored restored;
  std::feraiseexcept(FE_INEXACT);
  EXPECT_EQ(float_environment_text(), "MXCSR 0x1f80");
  _mm_setcsr(_mm_getcsr() | 0x8040);
  EXPECT_EQ(float_environment_text(), "MXCSR 0x9fc0");
}
#endif

}  // namespace
}  // namespace shardcheck
