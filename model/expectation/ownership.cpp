#include "ownership.h"

#include <algorithm>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::model {

namespace {

IndexList positions(std::int64_t begin, std::int64_t end) {
  IndexList list;
  list.reserve(static_cast<std::size_t>(std::max<std::int64_t>(end - begin, 0)));
  for (std::int64_t index = begin; index < end; ++index) list.push_back(index);
  return list;
}

/// Where each of `part_count` parts of a list of `length` entries begins; one entry more at the
/// end. For the contiguous rules that nest.
std::vector<std::int64_t> bounds(Split::Rule rule, std::int64_t length, std::int64_t part_count) {
  std::vector<std::int64_t> begins{0};
  const std::int64_t ceil = (length + part_count - 1) / part_count;
  for (std::int64_t part = 0; part < part_count; ++part) {
    const std::int64_t balanced = length / part_count + (part < length % part_count ? 1 : 0);
    const std::int64_t count = rule == Split::Rule::ceil ? ceil : balanced;
    begins.push_back(std::min(begins.back() + count, length));
  }
  return begins;
}

std::vector<IndexList> cut_once(const Split& split, const IndexList& whole,
                                std::int64_t part_count) {
  std::vector<IndexList> result(static_cast<std::size_t>(part_count));
  const auto length = static_cast<std::int64_t>(whole.size());
  if (split.rule == Split::Rule::cyclic) {
    for (std::int64_t position = 0; position < length; ++position) {
      const std::int64_t part = position / split.block % part_count;
      result[static_cast<std::size_t>(part)].push_back(whole[static_cast<std::size_t>(position)]);
    }
    return result;
  }
  const std::vector<std::int64_t> begins = bounds(split.rule, length, part_count);
  for (std::size_t part = 0; part < result.size(); ++part) {
    result[part].assign(whole.begin() + begins[part], whole.begin() + begins[part + 1]);
  }
  return result;
}

std::vector<IndexList> contiguous(const std::vector<std::int64_t>& sizes) {
  std::vector<IndexList> result;
  std::int64_t begin = 0;
  for (const std::int64_t size : sizes) {
    result.push_back(positions(begin, begin + size));
    begin += size;
  }
  return result;
}

/// By rank, the number of the part that it holds: the first mesh axis of the cut is the slowest.
std::int64_t part_of(const Mesh& mesh, const Cut& cut,
                     const std::vector<std::int64_t>& coordinate) {
  std::int64_t part = 0;
  for (const int axis : cut.over) {
    const auto index = static_cast<std::size_t>(axis);
    part = part * mesh.axes[index].size + coordinate[index];
  }
  return part;
}

}  // namespace

std::vector<IndexList> parts(const Split& split, std::int64_t extent,
                             const std::vector<std::int64_t>& part_counts) {
  std::int64_t total = 1;
  for (const std::int64_t count : part_counts) total *= count;
  if (split.rule == Split::Rule::sizes) {
    SHARDCHECK_REQUIRE(static_cast<std::int64_t>(split.sizes.size()) == total,
                       "`sizes` names every final part");
    return contiguous(split.sizes);
  }
  if (split.rule == Split::Rule::sets) {
    SHARDCHECK_REQUIRE(static_cast<std::int64_t>(split.sets.size()) == total,
                       "`sets` names every final part");
    return split.sets;
  }
  std::vector<IndexList> result{positions(0, extent)};
  for (const std::int64_t count : part_counts) {
    std::vector<IndexList> finer;
    for (const IndexList& whole : result) {
      for (IndexList& part : cut_once(split, whole, count)) finer.push_back(std::move(part));
    }
    result = std::move(finer);
  }
  return result;
}

std::vector<std::int64_t> coordinates(const Mesh& mesh, std::int64_t rank) {
  std::vector<std::int64_t> result(mesh.axes.size());
  for (std::size_t axis = mesh.axes.size(); axis-- > 0;) {
    result[axis] = rank % mesh.axes[axis].size;
    rank /= mesh.axes[axis].size;
  }
  return result;
}

std::vector<std::int64_t> group(const Mesh& mesh, std::int64_t rank, int mesh_axis) {
  const auto axis = static_cast<std::size_t>(mesh_axis);
  std::int64_t stride = 1;
  for (std::size_t later = axis + 1; later < mesh.axes.size(); ++later) {
    stride *= mesh.axes[later].size;
  }
  const std::int64_t size = mesh.axes[axis].size;
  const std::int64_t first = rank - rank / stride % size * stride;
  std::vector<std::int64_t> members;
  for (std::int64_t member = 0; member < size; ++member) members.push_back(first + member * stride);
  return members;
}

std::vector<Shard> shards(const ProductCase& subject, Tensor tensor) {
  const Layout& laid_out = layout(subject, tensor);
  const std::array<const Cut*, 2> cuts{&laid_out.rows, &laid_out.columns};
  std::array<std::vector<IndexList>, 2> lists;
  for (std::size_t side = 0; side < 2; ++side) {
    std::vector<std::int64_t> part_counts;
    for (const int axis : cuts[side]->over) {
      part_counts.push_back(subject.mesh.axes[static_cast<std::size_t>(axis)].size);
    }
    lists[side] = parts(cuts[side]->split, extent(subject, axes_of(tensor)[side]), part_counts);
  }
  std::vector<Shard> result;
  for (std::int64_t rank = 0; rank < rank_count(subject.mesh); ++rank) {
    const std::vector<std::int64_t> coordinate = coordinates(subject.mesh, rank);
    const auto row_part = static_cast<std::size_t>(part_of(subject.mesh, *cuts[0], coordinate));
    const auto column_part = static_cast<std::size_t>(part_of(subject.mesh, *cuts[1], coordinate));
    result.push_back({lists[0][row_part], lists[1][column_part]});
  }
  return result;
}

}  // namespace shardcheck::model
