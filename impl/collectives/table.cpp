#include "table.h"

#include "direct.h"
#include "ring.h"

namespace shardcheck::impl {

const CollectiveTable& collective_table() {
  static constexpr CollectiveTable table{
      .all_reduce{{
          {Algorithm::ring, ring_all_reduce, "as the reduce-scatter of balanced blocks",
           "(S - c_r)w and (S - c_{r+1})w_out to r+1"},
          {Algorithm::direct, direct_all_reduce, "as the reduce-scatter of balanced blocks",
           "c_b*w to member b, and c_r*w_out to every other member"},
      }},
      .reduce_scatter{{
          {Algorithm::ring, ring_reduce_scatter, "((x_{b+1} + x_{b+2}) + ...) + x_b",
           "(S - c_r)w to r+1"},
          {Algorithm::direct, direct_reduce_scatter, "x_0 + x_1 + ... from the left",
           "c_b*w to every other member b"},
      }},
      .all_gather{{
          {Algorithm::ring, ring_all_gather, "", "(S - c_{r+1})w to r+1"},
          {Algorithm::direct, direct_all_gather, "", "c_r*w to every other member"},
      }},
      .reduce{{{Algorithm::direct, direct_reduce, "x_0 + x_1 + ... from the left",
                "S*w to the root; the root 0"}}},
      .broadcast{{{Algorithm::direct, direct_broadcast, "", "the root: S*w to every other"}}},
      .gather{{{Algorithm::direct, direct_gather, "", "c_r*w to the root; the root 0"}}},
      .scatter{{{Algorithm::direct, direct_scatter, "", "the root: c_b*w to every other b"}}},
      .all_to_all{{{Algorithm::direct, direct_all_to_all, "", "block j to every other j"}}},
      .permute{{{Algorithm::direct, direct_permute, "", "n*w to the destination"}}},
  };
  return table;
}

}  // namespace shardcheck::impl
