// The same schedules with a thread a rank.

#include <array>

#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include <shardcheck/impl/run_case.h>

#include "schedule_cases.h"

namespace shardcheck::impl {
namespace {

TEST(Schedules, GiveTheSameBitsOnThreads) {
  Draw draw(7);
  constexpr std::array kinds{Step::Kind::gather_local, Step::Kind::local_scatter, Step::Kind::summa,
                             Step::Kind::cannon};
  for (int n = 0; n < 200; ++n) {
    Case subject = draw_schedule_case(draw, kinds[static_cast<std::size_t>(n) % 4]);
    draw_data(draw, subject);
    SCOPED_TRACE(print(subject));
    const CaseRun on_fibers = run_case(subject);
    subject.run = {};
    subject.run.kind = Run::Kind::threads;
    const CaseRun run = run_case(subject);
    ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
    ASSERT_EQ(run.results, on_fibers.results);
    ASSERT_EQ(*run.seen.ledger, *on_fibers.seen.ledger);
    ASSERT_EQ(*run.seen.temporary_bytes, *on_fibers.seen.temporary_bytes);
  }
}

}  // namespace
}  // namespace shardcheck::impl
