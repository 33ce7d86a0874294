#include "arena.h"

#include <cstring>

#include <shardcheck/model/expect.h>

#include <shardcheck/properties/by_hand/worked_example.h>
#include "run_record.h"

namespace shardcheck {
namespace {

Case with_out(std::string_view in_and_out) {
  return parsed("matmul mesh=x2 i=3 j=5 k=4 A[i,k/x] B[k/x,j] -> C[i,j] " +
                std::string(in_and_out));
}

TEST(Arena, GivesEachRankItsShardAlone) {
  const Case subject = parsed(worked_example_line);
  Arena arena;
  arena.fill(**model::expect(subject), 0);
  ASSERT_EQ(arena.ranks().size(), 2U);
  // Rank 1 holds column 1 of A, (2 4), and row 1 of B, (7 8).
  const RankMemory& rank = arena.ranks()[1];
  ASSERT_EQ(rank.inputs[0].size(), 8U);
  ASSERT_EQ(rank.inputs[1].size(), 8U);
  EXPECT_EQ(element(rank.inputs[0], 0), 2);
  EXPECT_EQ(element(rank.inputs[0], 1), 4);
  EXPECT_EQ(element(rank.inputs[1], 0), 7);
  EXPECT_EQ(element(rank.inputs[1], 1), 8);
  EXPECT_EQ(rank.output.size(), 16U) << "room for all of C, so that its size gives nothing away";
}

TEST(Arena, PoisonsOutputsOfEveryDtypeWithWhatASumIsNot) {
  for (const std::string_view dtypes :
       {"in=f32", "in=f64", "in=bf16", "in=f16", "in=f8e5m2 out=f8e5m2", "in=f8e4m3fn"}) {
    const Case subject = with_out(dtypes);
    Arena arena;
    arena.fill(**model::expect(subject), 0);
    const Dtype out = setting(subject).dtypes.out;
    for (std::int64_t position = 0; position < 15; ++position) {
      EXPECT_TRUE(arena.is_untouched(1, position));
      const Bits bits = load(arena.ranks()[1].output, out, position);
      EXPECT_TRUE(print_value(out, bits) == "nan") << dtypes;
    }
    EXPECT_EQ(arena.first_touched(0, 0), std::nullopt);
  }
}

TEST(Arena, FindsWhatChanged) {
  const Case subject = with_out("in=i32");
  Arena arena;
  arena.fill(**model::expect(subject), 0);
  EXPECT_EQ(arena.changed_input(0, 0), std::nullopt);
  const_cast<std::byte&>(arena.ranks()[0].inputs[0][4]) ^= std::byte{1};
  EXPECT_EQ(arena.changed_input(0, 0), 1);
  arena.ranks()[1].output[11 * 4] ^= std::byte{1};
  EXPECT_EQ(arena.first_touched(1, 3), 11);
  EXPECT_EQ(arena.first_touched(1, 12), std::nullopt);
}

TEST(Poison, DiffersEverywhereInAnotherRun) {
  constexpr std::int64_t elements = 2000;
  for (const DtypeInfo& dtype : dtypes) {
    std::vector<std::byte> first(static_cast<std::size_t>(elements * dtype.bytes));
    std::vector<std::byte> second(first.size());
    Poison poison;
    poison.prepare(dtype.dtype, 0);
    poison.write(3, first, 0);
    poison.prepare(dtype.dtype, 1);
    poison.write(3, second, 0);
    for (std::int64_t position = 0; position < elements; ++position) {
      const Bits now = load(second, dtype.dtype, position);
      EXPECT_NE(load(first, dtype.dtype, position), now) << dtype.name << position;
      EXPECT_EQ(poison.at(3, position), now) << dtype.name << position;
      if (dtype.is_float) {
        EXPECT_EQ(print_value(dtype.dtype, now), "nan") << dtype.name << position;
      }
    }
    EXPECT_EQ(poison.first_overwritten(3, second, 0, elements), std::nullopt) << dtype.name;
    EXPECT_EQ(poison.first_overwritten(3, first, 0, elements), 0) << dtype.name;
  }
}

TEST(Arena, HoldsCasesWithNothingInThem) {
  const Case subject = parsed("matmul mesh=x3 i=0 j=4 k=0 A[i,k/x] B[k/x,j] -> C[i/x,j]");
  Arena arena;
  arena.fill(**model::expect(subject), 0);
  EXPECT_TRUE(arena.ranks()[2].output.empty());
  EXPECT_FALSE(arena.damaged_guard(2).has_value());
}

TEST(RunOnce, GivesTheBitsOfEachRank) {
  const Case subject = parsed(worked_example_line);
  Arena arena;
  WorkedExample backend;
  const RunRecord run = run_once(subject, **model::expect(subject), backend, arena);
  EXPECT_TRUE(run.damage.empty());
  ASSERT_EQ(run.bits.size(), 2U);
  // 19, 22 and 43, 50 in f32.
  EXPECT_EQ(run.bits[0], (std::vector<Bits>{0x41980000, 0x41b00000}));
  EXPECT_EQ(run.bits[1], (std::vector<Bits>{0x422c0000, 0x42480000}));
}

TEST(RunOnce, ListsWhatWasReportedButNotWritten) {
  const Case subject = parsed(worked_example_line);
  Arena arena;
  std::vector<std::byte> before;
  WorkedExample backend([](const Request&, Observation& observation) {
    observation.owned[1] = {2, 3, 0};
  });
  const RunRecord run = run_once(subject, **model::expect(subject), backend, arena);
  EXPECT_EQ(run.untouched[1], (std::vector<std::int64_t>{2}));
}

}  // namespace
}  // namespace shardcheck
