#include "temporaries.h"

#include <gtest/gtest.h>

#include <string>

#include <shardcheck/model/case/text.h>

#include "ledger.h"

namespace shardcheck::model {
namespace {

std::vector<std::int64_t> allowed(const std::string& line) {
  const auto subject = parse_product(line);
  if (!subject) {
    ADD_FAILURE() << print(subject.error());
    return {};
  }
  const auto plan = resolve(*subject);
  if (!plan) {
    ADD_FAILURE() << plan.error();
    return {};
  }
  return temporary_bytes_max(*subject, *plan, ledger(*subject, *plan));
}

using Bytes = std::vector<std::int64_t>;

TEST(Temporaries, OfAProductAndItsReduction) {
  // local: A 2·1, B 1·16 in a panel, C 2·2: 22. reduce_scatter: 4 before, 2 after. In all 28
  // elements three times over at 4 bytes, and 8 bytes sent.
  EXPECT_EQ(allowed("matmul mesh=x2 i=2 j=2 k=2 A[i,k/x] B[k/x,j] -> C[i/x,j] "
                    "plan=local+reduce_scatter:C/x"),
            (Bytes{3 * 28 * 4 + 8, 3 * 28 * 4 + 8}));
}

TEST(Temporaries, AreCountedAtTheWidestOfTheDtypes) {
  // A 1·1, B 1·16, C 1·1, at 8 bytes for acc=f64, at 4 for in=out=bf16 and less.
  const std::string line = "matmul mesh=x1 i=1 j=1 k=1 A[i,k] B[k,j] -> C[i,j] plan=local ";
  EXPECT_EQ(allowed(line + "in=bf16 acc=f64 wire=bf16 out=bf16"), Bytes{3 * 18 * 8});
  EXPECT_EQ(allowed(line + "in=bf16 acc=bf16 wire=bf16 out=bf16"), Bytes{3 * 18 * 4});
}

TEST(Temporaries, AreARanksOwn) {
  // Rank 0 holds k = 0, 1 and 2 and rank 1 nothing. gather:B/x: 3 + 3 elements and 0 + 3; rank 0
  // sends 12 bytes. local: A 3, B 3·16 and C 1 on both.
  EXPECT_EQ(allowed("matmul mesh=x2 i=1 j=1 k=3 A[i,k] B[k/x,j] -> C[i,j] split.k=sizes:3,0 "
                    "plan=gather:B/x+local"),
            (Bytes{3 * (6 + 52) * 4 + 12, 3 * (3 + 52) * 4}));
}

}  // namespace
}  // namespace shardcheck::model
