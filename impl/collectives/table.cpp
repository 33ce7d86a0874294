#include "table.h"

namespace shardcheck::impl {

const std::array<CollectiveAlgorithm, plan_algorithms.size()> collective_algorithms{{
    {Algorithm::ring, ring_reduce_scatter, ring_all_gather,
     "left fold of members b+1, b+2, ..., b (modulo P)", "(S - c_r)w to r+1",
     "(S - c_{r+1})w to r+1"},
    {Algorithm::direct, direct_reduce_scatter, direct_all_gather,
     "left fold of members 0, 1, ..., P-1", "c_b*w to every other member b",
     "c_r*w to every other member"},
}};

}  // namespace shardcheck::impl
