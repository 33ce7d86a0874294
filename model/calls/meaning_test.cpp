#include "meaning.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <shardcheck/model/case/text.h>

#include "expectation.h"

namespace shardcheck::model {
namespace {

CallsCase parsed(const std::string& line) {
  const auto subject = parse_calls(line);
  EXPECT_TRUE(subject.has_value()) << line << ": " << subject.error().expected;
  return *subject;
}

std::vector<IndexList> owned_lists(const std::string& line) {
  const CallsCase subject = parsed(line);
  const Meaning meaning(subject);
  std::vector<IndexList> lists;
  for (std::int64_t m = 0; m < meaning.member_count(); ++m) lists.push_back(meaning.owned(m));
  return lists;
}

std::vector<IndexList> input_lists(const std::string& line) {
  const CallsCase subject = parsed(line);
  const Meaning meaning(subject);
  std::vector<IndexList> lists;
  for (std::int64_t m = 0; m < meaning.member_count(); ++m) lists.push_back(meaning.input(m));
  return lists;
}

using Lists = std::vector<IndexList>;

TEST(CollectiveMeaning, GroupsAreTheRanksThatDifferAlongTheAxesAlone) {
  const auto groups = [](const std::string& over) {
    const CallsCase subject = parsed("all_reduce mesh=x2,y3 n=1" + over);
    return Meaning(subject).groups();
  };
  EXPECT_EQ(groups(" over=x"), (Lists{{0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(groups(" over=y"), (Lists{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(groups(""), (Lists{{0, 1, 2, 3, 4, 5}}));
  const CallsCase outer = parsed("all_reduce mesh=x2,y2,z2 over=x/z n=1");
  EXPECT_EQ(Meaning(outer).groups(), (Lists{{0, 1, 4, 5}, {2, 3, 6, 7}}));
  EXPECT_EQ(Meaning(outer).group_of(6), 1);
  EXPECT_EQ(Meaning(outer).member_of(6), 2);
}

TEST(CollectiveMeaning, BlocksAreOwnedInTheirOrder) {
  const std::string cut = " mesh=x3 n=4 split.n=sets:3,0||2,1";
  const Lists blocks{{3, 0}, {}, {2, 1}};
  const Lists all(3, IndexList{0, 1, 2, 3});
  EXPECT_EQ(owned_lists("reduce_scatter" + cut), blocks);
  EXPECT_EQ(owned_lists("scatter" + cut), blocks);
  EXPECT_EQ(input_lists("all_gather" + cut), blocks);
  EXPECT_EQ(owned_lists("all_gather" + cut), all);
  EXPECT_EQ(input_lists("reduce_scatter" + cut), all);
}

TEST(CollectiveMeaning, WhatIsNotTheRootHasNothing) {
  const Lists at_root{{}, {}, {0, 1, 2, 3}};
  const Lists all(3, IndexList{0, 1, 2, 3});
  const std::string tail = " mesh=x3 n=4 root=2";
  EXPECT_EQ(owned_lists("reduce" + tail), at_root);
  EXPECT_EQ(owned_lists("gather" + tail), at_root);
  EXPECT_EQ(input_lists("scatter" + tail), at_root);
  EXPECT_EQ(input_lists("broadcast" + tail), at_root);
  EXPECT_EQ(input_lists("reduce" + tail), all);
  EXPECT_EQ(owned_lists("broadcast" + tail), all);
}

TEST(CollectiveMeaning, AllToAllDeliversBySource) {
  EXPECT_EQ(owned_lists("all_to_all mesh=x2 n=3 split.n=sets:2,0|1"),
            (Lists{{2, 0, 5, 3}, {1, 4}}));
  // Member 0 sends 1 and 2 of its 3, member 1 none and 1 of its 1.
  EXPECT_EQ(owned_lists("all_to_all mesh=x2 counts=1,2|0,1"), (Lists{{0}, {1, 2, 3}}));
  EXPECT_EQ(input_lists("all_to_all mesh=x2 counts=1,2|0,1"), (Lists{{0, 1, 2}, {0}}));
}

TEST(CollectiveMeaning, PermuteLeavesNothingWhereNobodySends) {
  EXPECT_EQ(owned_lists("permute mesh=x3 n=2 to=-,0,1"), (Lists{{2, 3}, {4, 5}, {}}));
}

TEST(CollectiveMeaning, TheLastCallOwnsAndTheFirstHasTheInput) {
  EXPECT_EQ(input_lists("reduce_scatter+gather mesh=x2 n=2 root=1"), (Lists{{0, 1}, {0, 1}}));
  EXPECT_EQ(owned_lists("reduce_scatter+gather mesh=x2 n=2 root=1"), (Lists{{}, {0, 1}}));
}

TEST(CollectiveMeaning, BruckNeedsBlocksOfOneSize) {
  EXPECT_FALSE(refusal(parsed("all_to_all mesh=x3 n=6 algorithm=bruck")));
  EXPECT_FALSE(refusal(parsed("all_to_all mesh=x2 counts=2,2|2,2 algorithm=bruck")));
  EXPECT_EQ(refusal(parsed("all_to_all mesh=x3 n=7 algorithm=bruck")),
            "call 0, all_to_all by bruck: it needs blocks of one size");
  EXPECT_TRUE(refusal(parsed("all_to_all mesh=x2 counts=2,2|2,1 algorithm=bruck")));
  EXPECT_FALSE(refusal(parsed("all_to_all mesh=x3 n=7 algorithm=pairwise")));
  EXPECT_FALSE(refusal(parsed("all_gather mesh=x3 n=7 algorithm=bruck")));
}

TEST(CollectiveMeaning, AnOrderedOperatorNeedsItsOrder) {
  const std::string matrix = " mesh=x3 n=2 op=matrix in=u32";
  EXPECT_FALSE(refusal(parsed("reduce" + matrix + " algorithm=chain")));
  EXPECT_TRUE(refusal(parsed("reduce" + matrix + " algorithm=chain root=1")));
  EXPECT_TRUE(refusal(parsed("reduce" + matrix + " algorithm=binomial root=2")));
  EXPECT_FALSE(refusal(parsed("reduce" + matrix + " algorithm=direct root=2")));
  EXPECT_EQ(refusal(parsed("all_gather+all_reduce" + matrix + " algorithm=ring+ring")),
            "call 1, all_reduce by ring: it changes the order of the operands, which matters to "
            "matrix");
}

TEST(CollectiveMeaning, AnAlgorithmThatTheCollectiveLacksIsRefused) {
  CallsCase subject = parsed("reduce_scatter mesh=x3 n=2");
  subject.calls[0].algorithm = Algorithm::bruck;
  EXPECT_EQ(refusal(subject), "call 0, reduce_scatter by bruck: there is no such algorithm for it");
}

TEST(CollectiveMeaning, MemoryHasRoomForWhatAnyMemberGets) {
  const auto room = [](const std::string& line) {
    const CallsCase subject = parsed(line);
    return (*expect_calls(subject))->output_room();
  };
  EXPECT_EQ(room("reduce_scatter mesh=x3 n=6"), 6);
  EXPECT_EQ(room("all_to_all mesh=x3 n=4 split.n=sizes:3,1,0"), 9);
  EXPECT_EQ(room("all_to_all mesh=x2 counts=1,2|0,1"), 3);
}

TEST(CollectiveMeaning, InPlaceAnAllGatherHasItsInputAmongTheBlocks) {
  const CallsCase gather = parsed("all_gather mesh=x3 n=6 split.n=sizes:3,1,2 in_place=yes");
  const auto expected = *expect_calls(gather);
  EXPECT_EQ(expected->place_in_output(0), 0);
  EXPECT_EQ(expected->place_in_output(1), 3);
  EXPECT_EQ(expected->place_in_output(2), 4);
  EXPECT_EQ(expected->input_elements(2), 2);
  const CallsCase reduce = parsed("all_reduce mesh=x3 n=6 in_place=yes");
  EXPECT_EQ((*expect_calls(reduce))->place_in_output(2), 0);
}

// The groups are at work at the same time, each in its own ranks and by the same closed form.
TEST(CollectiveMeaning, EveryGroupHasItsLedger) {
  const CallsCase subject = parsed("reduce mesh=x2,y2 over=x n=3 in=i16 root=1");
  const std::vector<Transfer> sent{{0, 0, 2, 6, 0}, {0, 1, 3, 6, 0}};
  EXPECT_EQ((*expect_calls(subject))->sent, sent);
}

}  // namespace
}  // namespace shardcheck::model
