#include "suspects.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <shardcheck/model/expectation/allowed.h>

#include "extent_words.h"

namespace shardcheck {

namespace {

constexpr std::size_t elements_tried = 64;
constexpr std::size_t alterations_named = 3;

/// The block of C, as cut when the local products were made, that an element belongs to.
class Blocks {
 public:
  explicit Blocks(const ProductEvidence& evidence) : columns_(evidence.subject.j) {
    row_block_.assign(static_cast<std::size_t>(evidence.subject.i), 0);
    column_block_.assign(static_cast<std::size_t>(columns_), 0);
    for (const model::Shard& shard : model::born(evidence.expectation.plan).shards) {
      number(shard.rows, row_block_);
      number(shard.columns, column_block_);
    }
  }

  std::pair<std::int64_t, std::int64_t> of(std::int64_t coordinate) const {
    return {row_block_[static_cast<std::size_t>(coordinate / columns_)],
            column_block_[static_cast<std::size_t>(coordinate % columns_)]};
  }

 private:
  static void number(const model::IndexList& indices, std::vector<std::int64_t>& block) {
    if (indices.empty()) return;
    const std::int64_t least = *std::ranges::min_element(indices);
    for (const std::int64_t index : indices) block[static_cast<std::size_t>(index)] = least;
  }

  std::int64_t columns_;
  std::vector<std::int64_t> row_block_;
  std::vector<std::int64_t> column_block_;
};

bool allows_altered(const ProductEvidence& evidence, std::int64_t rank, std::int64_t coordinate,
                    Bits got, const model::Alteration& alteration) {
  return model::allows(evidence.expectation.values.altered(rank, coordinate, alteration),
                       evidence.subject.dtypes.out, got);
}

bool explains(const ProductEvidence& evidence, const Elements& elements,
              const std::vector<std::size_t>& block, const model::Alteration& alteration) {
  const std::size_t count = std::min(block.size(), elements_tried);
  return std::all_of(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(count),
                     [&](std::size_t index) {
                       const Mismatch& mismatch = elements.mismatches[index];
                       return allows_altered(evidence, mismatch.rank, mismatch.coordinate,
                                             mismatch.got, alteration);
                     });
}

/// True if some right element of the block, on a rank that has wrong ones there, would have come
/// out otherwise.
bool is_refuted(const ProductEvidence& evidence, const Elements& elements, const Blocks& blocks,
                const std::vector<std::size_t>& block, const model::Alteration& alteration) {
  const auto place = blocks.of(elements.mismatches[block.front()].coordinate);
  std::size_t tried = 0;
  std::int64_t last_rank = -1;
  for (const std::size_t index : block) {
    const std::int64_t rank = elements.mismatches[index].rank;
    if (std::exchange(last_rank, rank) == rank) continue;
    const auto& owned = evidence.run.observation.owned[static_cast<std::size_t>(rank)];
    const auto& bits = evidence.run.bits[static_cast<std::size_t>(rank)];
    for (std::size_t position = 0; position < owned.size(); ++position) {
      if (blocks.of(owned[position]) != place) continue;
      const model::Allowed allowed = evidence.expectation.values.allowed(rank, owned[position]);
      if (!model::allows(allowed, evidence.subject.dtypes.out, bits[position])) continue;
      if (!allows_altered(evidence, rank, owned[position], bits[position], alteration)) return true;
      if (++tried == elements_tried) return false;
    }
  }
  return false;
}

std::optional<Suspicion> suspect(const ProductEvidence& evidence, const Elements& elements,
                                 const Blocks& blocks, const std::vector<std::size_t>& block) {
  const auto telling = std::ranges::find_if(block, [&](std::size_t index) {
    const Mismatch& mismatch = elements.mismatches[index];
    return std::abs(mismatch.distance) != 1;
  });
  if (telling == block.end()) return std::nullopt;
  const Mismatch& mismatch = elements.mismatches[*telling];
  Suspicion suspicion;
  for (const model::Alteration& alteration :
       evidence.expectation.values.suspects(mismatch.rank, mismatch.coordinate, mismatch.got)) {
    if (!explains(evidence, elements, block, alteration)) continue;
    if (is_refuted(evidence, elements, blocks, block, alteration)) continue;
    suspicion.alterations.push_back(alteration);
    if (suspicion.alterations.size() == alterations_named) break;
  }
  if (suspicion.alterations.empty()) return std::nullopt;
  suspicion.mismatches = block;
  return suspicion;
}

/// A block's mismatches by rank, where each rank may have left out another contribution. A single
/// wrong element is too little to go by then.
std::vector<std::vector<std::size_t>> by_rank(const Elements& elements,
                                              const std::vector<std::size_t>& block) {
  std::vector<std::vector<std::size_t>> parts;
  for (const std::size_t index : block) {
    const std::int64_t rank = elements.mismatches[index].rank;
    if (parts.empty() || elements.mismatches[parts.back().front()].rank != rank)
      parts.push_back({});
    parts.back().push_back(index);
  }
  if (parts.size() == 1) parts.clear();  // tried already
  std::erase_if(parts, [](const std::vector<std::size_t>& part) { return part.size() < 2; });
  return parts;
}

/// One finding a contributor, in however many blocks it shows.
void merge_alike(std::vector<Suspicion>& suspicions) {
  std::vector<Suspicion> merged;
  for (Suspicion& suspicion : suspicions) {
    const auto alike = std::ranges::find(merged, suspicion.alterations, &Suspicion::alterations);
    if (alike == merged.end()) {
      merged.push_back(std::move(suspicion));
      continue;
    }
    alike->mismatches.insert(alike->mismatches.end(), suspicion.mismatches.begin(),
                             suspicion.mismatches.end());
    std::ranges::sort(alike->mismatches);
  }
  suspicions = std::move(merged);
}

}  // namespace

std::vector<Suspicion> find_suspects(const ProductEvidence& evidence, const Elements& elements,
                                     const std::vector<Swap>& swaps) {
  std::vector<Suspicion> suspicions;
  if (elements.mismatches.empty()) return suspicions;
  const Blocks blocks(evidence);
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::size_t>> by_block;
  for (std::size_t index = 0; index < elements.mismatches.size(); ++index) {
    const Mismatch& mismatch = elements.mismatches[index];
    if (mismatch.is_untouched || swap_of(swaps, mismatch.rank) != nullptr) continue;
    by_block[blocks.of(mismatch.coordinate)].push_back(index);
  }
  for (const auto& [place, block] : by_block) {
    if (auto suspicion = suspect(evidence, elements, blocks, block)) {
      suspicions.push_back(std::move(*suspicion));
      continue;
    }
    for (const std::vector<std::size_t>& part : by_rank(elements, block)) {
      if (auto suspicion = suspect(evidence, elements, blocks, part)) {
        suspicions.push_back(std::move(*suspicion));
      }
    }
  }
  merge_alike(suspicions);
  std::ranges::sort(suspicions, {},
                    [](const Suspicion& suspicion) { return suspicion.mismatches.front(); });
  return suspicions;
}

std::string describe(const Suspicion& suspicion) {
  std::string text;
  for (const model::Alteration& alteration : suspicion.alterations) {
    if (!text.empty()) text += ", or ";
    text += model::describe(alteration);
  }
  return text;
}

std::string describe(const ProductCase& subject, const Elements& elements,
                     const Suspicion& suspicion) {
  std::vector<std::int64_t> coordinates;
  for (const std::size_t index : suspicion.mismatches) {
    coordinates.push_back(elements.mismatches[index].coordinate);
  }
  const bool are_all_known = elements.wrong == std::ssize(elements.mismatches);
  return fmt::format("{}{}{}{}", describe(suspicion),
                     suspicion.alterations.size() > 1 ? "; "
                     : are_all_known                  ? " "
                                                      : ", ",
                     are_all_known ? "" : "at least ",
                     extent_words(subject.i, subject.j, std::move(coordinates)));
}

}  // namespace shardcheck
