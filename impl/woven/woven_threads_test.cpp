// The same schedules with a thread a rank.

#include <array>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include <shardcheck/impl/by_hand/run_case.h>

#include <shardcheck/impl/by_hand/woven_cases.h>

namespace shardcheck::impl {
namespace {

CaseRun run_on_threads(ProductCase subject) {
  subject.run = {};
  subject.run.kind = Run::Kind::threads;
  return run_case(subject);
}

TEST(SchedulesOnThreads, DoWhatTheirPlainStepsDo) {
  Draw draw(7);
  constexpr std::array kinds{Step::Kind::gather_local, Step::Kind::local_scatter, Step::Kind::summa,
                             Step::Kind::cannon};
  for (int n = 0; n < 200; ++n) {
    ProductCase subject = draw_schedule_case(draw, kinds[static_cast<std::size_t>(n) % 4]);
    // Integers, for the order of k isn't that of the plain steps.
    subject.dtypes = {Dtype::i32, Dtype::i64, Dtype::i64, Dtype::i32};
    draw_data(draw, subject);
    SCOPED_TRACE(print(subject));
    const CaseRun run = run_on_threads(subject);
    ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
    ASSERT_TRUE(run.seen.left_over->empty());
    ASSERT_EQ(run.results, run_on_threads(spelled_out(subject)).results);
  }
}

}  // namespace
}  // namespace shardcheck::impl
