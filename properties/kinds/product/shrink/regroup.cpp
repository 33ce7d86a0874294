#include "regroup.h"

#include <algorithm>

namespace shardcheck {
namespace {

/// By old part number, the new one. The first mesh axis of `over` is the slowest.
std::vector<std::size_t> new_part_numbers(const std::vector<int>& over, const Mesh& mesh,
                                          int mesh_axis, const Joining& joining) {
  std::vector<std::size_t> numbers{0};
  for (const int axis : over) {
    const bool is_joined = axis == mesh_axis;
    const auto old_count = static_cast<std::size_t>(mesh.axes[static_cast<std::size_t>(axis)].size);
    const std::size_t new_count = is_joined ? static_cast<std::size_t>(joining.count) : old_count;
    std::vector<std::size_t> finer;
    for (const std::size_t number : numbers) {
      for (std::size_t member = 0; member < old_count; ++member) {
        const std::size_t place = is_joined ? static_cast<std::size_t>(joining.to[member]) : member;
        finer.push_back(number * new_count + place);
      }
    }
    numbers = std::move(finer);
  }
  return numbers;
}

}  // namespace

Joining joined_evenly(std::int64_t size, std::int64_t target) {
  Joining joining{{}, target};
  for (std::int64_t member = 0; member < size; ++member) {
    joining.to.push_back(member * target / size);
  }
  return joining;
}

Joining joined_with_predecessor(std::int64_t size, std::int64_t member) {
  Joining joining{{}, size - 1};
  for (std::int64_t each = 0; each < size; ++each) {
    joining.to.push_back(each >= member ? each - 1 : each);
  }
  return joining;
}

Cut regrouped(const Cut& cut, const Mesh& mesh, int mesh_axis, const Joining& joining) {
  const bool is_cut_over = std::find(cut.over.begin(), cut.over.end(), mesh_axis) != cut.over.end();
  if (!is_cut_over || (cut.split.sizes.empty() && cut.split.sets.empty())) return cut;
  const std::vector<std::size_t> numbers = new_part_numbers(cut.over, mesh, mesh_axis, joining);
  std::size_t count = 1;
  for (const int axis : cut.over) {
    const std::int64_t old_count = mesh.axes[static_cast<std::size_t>(axis)].size;
    count *= static_cast<std::size_t>(axis == mesh_axis ? joining.count : old_count);
  }
  Cut result = cut;
  result.split.sizes.assign(cut.split.sizes.empty() ? 0 : count, 0);
  result.split.sets.assign(cut.split.sets.empty() ? 0 : count, {});
  for (std::size_t part = 0; part < cut.split.sizes.size(); ++part) {
    result.split.sizes[numbers[part]] += cut.split.sizes[part];
  }
  for (std::size_t part = 0; part < cut.split.sets.size(); ++part) {
    auto& set = result.split.sets[numbers[part]];
    set.insert(set.end(), cut.split.sets[part].begin(), cut.split.sets[part].end());
  }
  return result;
}

Cut without_axis(const Cut& cut, const Mesh& mesh, int mesh_axis) {
  const std::int64_t size = mesh.axes[static_cast<std::size_t>(mesh_axis)].size;
  Cut result = regrouped(cut, mesh, mesh_axis, joined_evenly(size, 1));
  std::erase(result.over, mesh_axis);
  if (result.over.empty()) return Cut{};
  return result;
}

}  // namespace shardcheck
