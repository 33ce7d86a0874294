#include "table.h"

#include "binomial.h"
#include "bruck.h"
#include "chain.h"
#include "direct.h"
#include "doubling.h"
#include "halving.h"
#include "pairwise.h"
#include "rabenseifner.h"
#include "ring.h"
#include "scatter_all_gather.h"

namespace shardcheck::impl {
namespace {

constexpr CollectiveTable table{
    .all_reduce{{
        {Algorithm::ring, ring_all_reduce, "as the reduce-scatter of balanced blocks",
         "(S - c_r)w and (S - c_{r+1})w_out to r+1"},
        {Algorithm::direct, direct_all_reduce, "as the reduce-scatter of balanced blocks",
         "c_b*w to every other b, and c_r*w_out to every other member"},
        {Algorithm::doubling, doubling_all_reduce,
         "at distance 1, 2, ... p2/2: lower + higher, both rounded to wire",
         "2v: S*w; others L*S*w, and 2v+1 S*w_out to 2v"},
        {Algorithm::rabenseifner, rabenseifner_all_reduce,
         "at distance p2/2, ... 2, 1: own + received",
         "2v: S*w; others (S - c_v)w + G_v*w_out, and 2v+1 S*w_out to 2v"},
        {Algorithm::binomial, binomial_all_reduce, "as the binomial reduce to member 0",
         "S*w to the parent, S*w_out to each child"},
    }},
    .reduce_scatter{{
        {Algorithm::ring, ring_reduce_scatter, "((x_{b+1} + x_{b+2}) + ...) + x_b",
         "(S - c_r)w to r+1"},
        {Algorithm::direct, direct_reduce_scatter, "x_0 + x_1 + ... from the left",
         "c_b*w to every other b"},
        {Algorithm::pairwise, pairwise_reduce_scatter,
         "x_b + x_{b-1} + x_{b-2} + ... from the left", "c_b*w to every other b"},
        {Algorithm::halving, halving_reduce_scatter, "at distance p2/2, ... 2, 1: own + received",
         "2v: S*w; others (S - g_v)w, and 2v+1 c_2v*w_out to 2v"},
    }},
    .all_gather{{
        {Algorithm::ring, ring_all_gather, "", "(S - c_{r+1})w to r+1"},
        {Algorithm::direct, direct_all_gather, "", "c_r*w to every other member"},
        {Algorithm::doubling, doubling_all_gather, "",
         "2v: c_2v*w; others the blocks of v's aligned groups of 1, 2, ... p2/2 folded ranks, "
         "and 2v+1 (S - c_2v)w to 2v"},
        {Algorithm::bruck, bruck_all_gather, "",
         "for d = 1, 2, 4, ... < P: blocks r to r + min(d, P-d) - 1, to r-d"},
    }},
    .reduce{{
        {Algorithm::binomial, binomial_reduce, "own + child, nearest child first",
         "S*w to the parent; the root 0"},
        {Algorithm::direct, direct_reduce, "x_0 + x_1 + ... from the left",
         "S*w to the root; the root 0"},
        {Algorithm::chain, chain_reduce, "own + received, from u = P-1 down",
         "S*w to u-1; the root 0"},
    }},
    .broadcast{{
        {Algorithm::binomial, binomial_broadcast, "", "S*w to each child"},
        {Algorithm::direct, direct_broadcast, "", "the root: S*w to every other"},
        {Algorithm::chain, chain_broadcast, "", "S*w to u+1; u = P-1 0"},
        {Algorithm::scatter_all_gather, scatter_all_gather_broadcast, "",
         "to each child the blocks of its subtree, then (S - c_{u+1})w to u+1"},
    }},
    .gather{{
        {Algorithm::direct, direct_gather, "", "c_r*w to the root; the root 0"},
        {Algorithm::binomial, binomial_gather, "", "the blocks of its subtree to the parent"},
    }},
    .scatter{{
        {Algorithm::direct, direct_scatter, "", "the root: c_b*w to every other b"},
        {Algorithm::binomial, binomial_scatter, "", "to each child the blocks of its subtree"},
    }},
    .all_to_all{{
        {Algorithm::direct, direct_all_to_all, "", "block j to every other j"},
        {Algorithm::pairwise, pairwise_all_to_all, "", "block j to every other j"},
        {Algorithm::bruck, bruck_all_to_all, "",
         "for d = 1, 2, 4, ... < P: the blocks whose distance has bit d, to r+d"},
    }},
    .permute{{{Algorithm::direct, direct_permute, "", "n*w to the destination"}}},
};

}  // namespace

const CollectiveTable& collective_table() { return table; }

}  // namespace shardcheck::impl
