#include <gtest/gtest.h>

#include <shardcheck/model/case/text.h>

#include "run_case.h"

namespace shardcheck::impl {
namespace {

using Lists = std::vector<std::vector<std::int64_t>>;
using Numbers = std::vector<std::vector<double>>;

// The lesson's example: A = [[1,2],[3,4]], B = [[5,6],[7,8]], K over two ranks (Atlas v1.3.0).
const std::string lesson = "matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] ";
const std::string lesson_data = " in=f32 data=given A=1,2,3,4 B=5,6,7,8";

TEST(ShardedMatmul, SumsTheLessonsPartialsIntoRows) {
  const CaseRun run =
      run_case(lesson + "-> C[i/x,j]" + lesson_data + " plan=local+reduce_scatter:C/x", true);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{19, 22}, {43, 50}}));
  EXPECT_EQ(run.seen.owned, (Lists{{0, 1}, {2, 3}}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{8, 8}));
  ASSERT_EQ(run.seen.products->size(), 2u);
  const std::vector<std::vector<double>> partials{{5, 6, 15, 18}, {14, 16, 28, 32}};
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const LocalProduct& product = (*run.seen.products)[rank];
    EXPECT_EQ(product.a_columns, (std::vector<std::int64_t>{static_cast<std::int64_t>(rank)}));
    EXPECT_EQ(product.b_rows, product.a_columns);
    std::vector<double> partial;
    for (const std::uint64_t bits : product.partial) partial.push_back(number(Dtype::f32, bits));
    EXPECT_EQ(partial, partials[rank]);
  }
  ASSERT_EQ(run.seen.messages.size(), 2u);
  for (const Message& message : run.seen.messages) {
    std::vector<double> sent;
    for (const std::uint64_t bits : message.elements) sent.push_back(number(Dtype::f32, bits));
    EXPECT_EQ(sent,
              message.source == 0 ? (std::vector<double>{15, 18}) : (std::vector<double>{14, 16}));
  }
}

TEST(ShardedMatmul, GathersTheLessonsRowsForSixteenBytesARank) {
  const CaseRun run =
      run_case(lesson + "-> C[i,j]" + lesson_data + " plan=local+reduce_scatter+all_gather");
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{19, 22, 43, 50}, {19, 22, 43, 50}}));
  EXPECT_EQ(run.sent(), (std::vector<std::int64_t>{16, 16}));
}

TEST(ShardedMatmul, ResolvesTheLessonsPlanByItself) {
  const CaseRun run = run_case(lesson + "-> C[i/x,j]" + lesson_data);
  ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
  EXPECT_EQ(run.numbers(), (Numbers{{19, 22}, {43, 50}}));
  EXPECT_EQ(print(run.subject.mesh, *run.seen.steps), "local+reduce_scatter:C/x");
}

}  // namespace
}  // namespace shardcheck::impl
