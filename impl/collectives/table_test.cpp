#include "table.h"

#include <gtest/gtest.h>

namespace shardcheck::impl {
namespace {

/// One entry for each algorithm that the collective has, in that order, with what it sends and, if
/// it reduces, its value.
template <typename Entries>
void expect_entries(Collective collective, const Entries& entries) {
  const auto offered = algorithms_of(collective);
  ASSERT_EQ(entries.size(), offered.size()) << name(collective);
  for (std::size_t at = 0; at < entries.size(); ++at) {
    EXPECT_EQ(entries[at].algorithm, offered[at]) << name(collective);
    EXPECT_NE(entries[at].run, nullptr);
    EXPECT_FALSE(entries[at].bytes.empty());
    EXPECT_EQ(entries[at].value.empty(), !reduces(collective)) << name(offered[at]);
  }
}

TEST(CollectiveTable, HasEveryAlgorithmThatIsOffered) {
  const CollectiveTable& table = collective_table();
  expect_entries(Collective::all_reduce, table.all_reduce);
  expect_entries(Collective::reduce_scatter, table.reduce_scatter);
  expect_entries(Collective::all_gather, table.all_gather);
  expect_entries(Collective::reduce, table.reduce);
  expect_entries(Collective::broadcast, table.broadcast);
  expect_entries(Collective::gather, table.gather);
  expect_entries(Collective::scatter, table.scatter);
  expect_entries(Collective::all_to_all, table.all_to_all);
  expect_entries(Collective::permute, table.permute);
}

TEST(CollectiveTable, FindsNoEntryForWhatACollectiveLacks) {
  const CollectiveTable& table = collective_table();
  EXPECT_EQ(find_entry(table.all_reduce, Algorithm::bruck), nullptr);
  EXPECT_EQ(find_entry(table.permute, Algorithm::ring), nullptr);
  EXPECT_EQ(entry(table.gather, Algorithm::binomial).algorithm, Algorithm::binomial);
}

}  // namespace
}  // namespace shardcheck::impl
