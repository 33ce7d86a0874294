#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/properties/judge/number_text.h>

#include "invariants.h"
#include "local_product.h"

namespace shardcheck {

namespace {

std::string_view kind_of(model::Alteration::Kind kind) {
  switch (kind) {
    case model::Alteration::Kind::drop_k: return "k_missing";
    case model::Alteration::Kind::double_k: return "k_doubled";
    case model::Alteration::Kind::mispair_k: return "k_mispaired";
    case model::Alteration::Kind::drop_rank: return "rank_missing";
    case model::Alteration::Kind::double_rank: return "rank_doubled";
  }
  return "";
}

/// How often each k was multiplied by the ranks that add up to one block of C.
struct Group {
  std::int64_t first_rank = 0;
  std::vector<int> of_a;  ///< by k
  std::vector<int> of_b;
};

void add_list(Judgement& judgement, const ProductEvidence& evidence, std::string kind,
              std::int64_t rank, const std::vector<std::int64_t>& indices, std::string_view verb) {
  if (indices.empty()) return;
  add(judgement, {.invariant = Invariant::coverage,
                  .kind = std::move(kind),
                  .rank = rank,
                  .allowed = fmt::format("each of {} k once", evidence.subject.k),
                  .got = fmt::format("k = {} {}", listed(indices), verb),
                  .evidence = "the k lists of the local products say so"});
}

/// The k of one product, counted; what doesn't pair is a finding.
void count_product(const ProductEvidence& evidence, const LocalProduct& product, Group& group,
                   Judgement& judgement) {
  const std::int64_t k = evidence.subject.k;
  std::vector<std::int64_t> unknown;
  const auto count = [&](const std::vector<std::int64_t>& indices, std::vector<int>& counts) {
    for (const std::int64_t index : indices) {
      if (index < 0 || index >= k) {
        unknown.push_back(index);
      } else {
        ++counts[static_cast<std::size_t>(index)];
      }
    }
  };
  count(product.a_columns, group.of_a);
  count(product.b_rows, group.of_b);
  add_list(judgement, evidence, "k_unknown", product.rank, unknown, "doesn't exist");
  if (product.a_columns == product.b_rows) return;
  const auto [a, b] = std::ranges::mismatch(product.a_columns, product.b_rows);
  if (a == product.a_columns.end() || b == product.b_rows.end()) return;  // a k missing on one side
  add(judgement,
      {.invariant = Invariant::coverage,
       .kind = "k_mispaired",
       .rank = product.rank,
       .allowed = "A's columns and B's rows are the same k in the same order",
       .got = fmt::format("A's k = {} meets B's k = {}", *a, *b),
       .evidence = fmt::format("position {} of the k lists", a - product.a_columns.begin())});
}

/// The rank of the group that holds this k of A when the products are made.
std::int64_t holder_of(const ProductEvidence& evidence, const std::vector<std::int64_t>& firsts,
                       std::int64_t first, std::int64_t k) {
  const auto& shards = model::multiplied(evidence.expectation.plan).a.shards;
  for (std::size_t rank = 0; rank < shards.size(); ++rank) {
    if (firsts[rank] != first) continue;
    if (std::ranges::find(shards[rank].columns, k) != shards[rank].columns.end()) {
      return static_cast<std::int64_t>(rank);
    }
  }
  return -1;
}

void judge_group(const ProductEvidence& evidence, const std::vector<std::int64_t>& firsts,
                 const Group& group, Judgement& judgement) {
  std::vector<std::int64_t> missing;
  std::vector<std::int64_t> doubled;
  for (std::size_t index = 0; index < group.of_a.size(); ++index) {
    const auto k = static_cast<std::int64_t>(index);
    if (group.of_a[index] == 0 || group.of_b[index] == 0) missing.push_back(k);
    if (group.of_a[index] > 1 || group.of_b[index] > 1) doubled.push_back(k);
  }
  if (!missing.empty()) {
    add_list(judgement, evidence, "k_missing",
             holder_of(evidence, firsts, group.first_rank, missing.front()), missing,
             "multiplied by nobody");
  }
  if (!doubled.empty()) {
    add_list(judgement, evidence, "k_doubled",
             holder_of(evidence, firsts, group.first_rank, doubled.front()), doubled,
             "multiplied more than once");
  }
}

void judge_lists(const ProductEvidence& evidence, Judgement& judgement) {
  const std::vector<LocalProduct>& products = *evidence.run.observation.products;
  const model::TensorState& made = model::born(evidence.expectation.plan);
  const std::int64_t ranks = rank_count(evidence.subject.mesh);
  std::vector<std::int64_t> firsts;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    firsts.push_back(first_of_group(evidence.subject.mesh, rank, made.partial_over));
  }
  std::vector<const LocalProduct*> sorted;
  for (const LocalProduct& product : products) {
    if (product.rank >= 0 && product.rank < ranks) {
      sorted.push_back(&product);
      continue;
    }
    add(judgement, {.invariant = Invariant::coverage,
                    .kind = "rank_unknown",
                    .allowed = fmt::format("ranks 0 to {}", ranks - 1),
                    .got = fmt::format("a local product of rank {}", product.rank)});
  }
  const auto first_of = [&](const LocalProduct* product) {
    return firsts[static_cast<std::size_t>(product->rank)];
  };
  // Within a group in the order told, so that findings have one order.
  std::ranges::sort(sorted, {}, [&](const LocalProduct* product) {
    return std::pair(first_of(product), product - products.data());
  });
  auto next = sorted.begin();
  const auto extent_k = static_cast<std::size_t>(evidence.subject.k);
  Group group;
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    if (firsts[static_cast<std::size_t>(rank)] != rank) continue;
    group.first_rank = rank;
    group.of_a.assign(extent_k, 0);
    group.of_b.assign(extent_k, 0);
    for (; next != sorted.end() && first_of(*next) == rank; ++next) {
      count_product(evidence, **next, group, judgement);
    }
    // Nothing has to be multiplied for an empty block.
    const model::Shard& block = made.shards[static_cast<std::size_t>(rank)];
    if (block.rows.empty() || block.columns.empty()) continue;
    judge_group(evidence, firsts, group, judgement);
  }
}

}  // namespace

Judgement judge_products(const ProductEvidence& evidence) {
  Judgement judgement;
  if (!evidence.run.observation.products) return judgement;
  observe(judgement);
  judge_lists(evidence, judgement);
  return judgement;
}

Finding suspected(const ProductEvidence& evidence, const Elements& elements,
                  const Suspicion& suspicion) {
  const Dtype out = evidence.subject.dtypes.out;
  const Mismatch& mismatch = elements.mismatches[suspicion.mismatches.front()];
  return {.invariant = Invariant::coverage,
          .kind = std::string(kind_of(suspicion.alterations.front().kind)),
          .rank = mismatch.rank,
          .coordinate = mismatch.coordinate,
          .allowed = model::describe(mismatch.allowed, out),
          .got = with_hex(out, mismatch.got),
          .evidence = describe(evidence.subject, elements, suspicion)};
}

}  // namespace shardcheck
