#include "rewriting.h"

#include <algorithm>
#include <numeric>

#include <shardcheck/model/case/inputs/inputs.h>
#include <shardcheck/model/expectation/ownership.h>

namespace shardcheck {

namespace {

bool is_over(const Cut& cut, int mesh_axis) {
  return std::ranges::find(cut.over, mesh_axis) != cut.over.end();
}

/// By old part number, the new one. The first mesh axis of a cut is the slowest.
std::vector<std::size_t> new_part_numbers(const std::vector<int>& over, const Mesh& mesh,
                                          const Renumbering& renumbering) {
  std::vector<std::size_t> numbers{0};
  for (const int axis : over) {
    const bool is_renumbered = axis == renumbering.mesh_axis;
    const auto old_count = static_cast<std::size_t>(size_of(mesh, axis));
    const std::size_t new_count =
        is_renumbered ? static_cast<std::size_t>(renumbering.count) : old_count;
    std::vector<std::size_t> finer;
    for (const std::size_t number : numbers) {
      for (std::size_t member = 0; member < old_count; ++member) {
        const std::size_t place =
            is_renumbered ? static_cast<std::size_t>(renumbering.to[member]) : member;
        finer.push_back(number * new_count + place);
      }
    }
    numbers = std::move(finer);
  }
  return numbers;
}

Cut renumbered(const Cut& cut, const Mesh& mesh, std::int64_t extent,
               const Renumbering& renumbering) {
  if (!is_over(cut, renumbering.mesh_axis)) return cut;
  const Split parts = spelled_out(cut, mesh, extent);
  const auto numbers = new_part_numbers(cut.over, mesh, renumbering);
  std::size_t count = 1;
  for (const int axis : cut.over) {
    const bool is_renumbered = axis == renumbering.mesh_axis;
    count *= static_cast<std::size_t>(is_renumbered ? renumbering.count : size_of(mesh, axis));
  }
  Cut result{cut.over, {}};
  result.split.rule = Split::Rule::sets;
  result.split.sets.resize(count);
  for (std::size_t part = 0; part < parts.sets.size(); ++part) {
    auto& joined = result.split.sets[numbers[part]];
    joined.insert(joined.end(), parts.sets[part].begin(), parts.sets[part].end());
  }
  return result;
}

std::vector<std::int64_t> new_ranks(const Mesh& mesh, const Renumbering& renumbering) {
  std::vector<std::int64_t> ranks;
  for (std::int64_t rank = 0; rank < rank_count(mesh); ++rank) {
    const std::vector<std::int64_t> coordinates = model::coordinates(mesh, rank);
    std::int64_t number = 0;
    for (std::size_t axis = 0; axis < coordinates.size(); ++axis) {
      const bool is_renumbered = static_cast<int>(axis) == renumbering.mesh_axis;
      const std::int64_t count = is_renumbered ? renumbering.count : mesh.axes[axis].size;
      const std::int64_t own = coordinates[axis];
      number =
          number * count + (is_renumbered ? renumbering.to[static_cast<std::size_t>(own)] : own);
    }
    ranks.push_back(number);
  }
  return ranks;
}

}  // namespace

std::int64_t size_of(const Mesh& mesh, int mesh_axis) {
  return mesh.axes[static_cast<std::size_t>(mesh_axis)].size;
}

Related unchanged(const ProductCase& subject, const model::ResolvedPlan& plan) {
  Related related;
  related.subject = subject;
  related.subject.plan = plan.steps;
  related.rank_of.resize(static_cast<std::size_t>(rank_count(subject.mesh)));
  std::iota(related.rank_of.begin(), related.rank_of.end(), std::int64_t{0});
  related.phase_of.resize(plan.steps.size());
  std::iota(related.phase_of.begin(), related.phase_of.end(), std::int64_t{0});
  related.bytes.assign(plan.steps.size(), Related::Bytes::unrelated);
  return related;
}

Data given_values(const ProductCase& subject) {
  if (subject.data.regime == Data::Regime::given) return subject.data;
  const Inputs inputs(subject);
  Data data;
  data.regime = Data::Regime::given;
  data.given.resize(2);
  data.given[0].reserve(static_cast<std::size_t>(subject.i * subject.k));
  data.given[1].reserve(static_cast<std::size_t>(subject.k * subject.j));
  for (std::int64_t row = 0; row < subject.i; ++row) {
    for (std::int64_t k = 0; k < subject.k; ++k)
      data.given[0].push_back(inputs.at(Tensor::a, row, k));
  }
  for (std::int64_t k = 0; k < subject.k; ++k) {
    for (std::int64_t column = 0; column < subject.j; ++column) {
      data.given[1].push_back(inputs.at(Tensor::b, k, column));
    }
  }
  return data;
}

Split spelled_out(const Cut& cut, const Mesh& mesh, std::int64_t extent) {
  std::vector<std::int64_t> part_counts;
  for (const int axis : cut.over) part_counts.push_back(size_of(mesh, axis));
  Split split;
  split.rule = Split::Rule::sets;
  split.sets = model::parts(cut.split, extent, part_counts);
  return split;
}

Related renumbered(const ProductCase& subject, const model::ResolvedPlan& plan,
                   const Renumbering& renumbering) {
  Related related = unchanged(subject, plan);
  related.rank_of = new_ranks(subject.mesh, renumbering);
  ProductCase& target = related.subject;
  const auto renumber = [&](Layout& layout, Axis rows, Axis columns) {
    layout.rows = renumbered(layout.rows, subject.mesh, extent(subject, rows), renumbering);
    layout.columns =
        renumbered(layout.columns, subject.mesh, extent(subject, columns), renumbering);
  };
  renumber(target.a, Axis::i, Axis::k);
  renumber(target.b, Axis::k, Axis::j);
  renumber(target.c, Axis::i, Axis::j);
  target.mesh.axes[static_cast<std::size_t>(renumbering.mesh_axis)].size = renumbering.count;
  return related;
}

bool has_step(const ProductCase& subject, const Plan& plan, Step::Kind kind) {
  return std::ranges::any_of(plan, [&](const Step& step) {
    return step.kind == kind && step.mesh_axis >= 0 && size_of(subject.mesh, step.mesh_axis) > 1;
  });
}

bool is_by(const ProductCase& subject, const Step& step, Step::Kind kind, Algorithm algorithm) {
  if (step.kind != kind) return false;
  switch (kind) {
    case Step::Kind::reduce_scatter:
      return algorithm_of(subject, Collective::reduce_scatter) == algorithm;
    case Step::Kind::all_reduce: return algorithm_of(subject, Collective::all_reduce) == algorithm;
    case Step::Kind::gather: return algorithm_of(subject, Collective::all_gather) == algorithm;
    case Step::Kind::local:
    case Step::Kind::slice:
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter:
    case Step::Kind::summa:
    case Step::Kind::cannon:
    case Step::Kind::exchange: break;
  }
  return false;
}

bool has_exchange_of_c(const Plan& plan) {
  return std::ranges::any_of(plan, [](const Step& step) {
    return step.kind == Step::Kind::exchange && step.tensor == Tensor::c;
  });
}

bool is_bound_to_a_square(const ProductCase& subject, const Plan& plan, int mesh_axis) {
  const bool cuts_k = is_over(subject.a.columns, mesh_axis) || is_over(subject.b.rows, mesh_axis);
  return std::ranges::any_of(plan, [&](const Step& step) {
    return step.kind == Step::Kind::cannon &&
           (cuts_k || step.mesh_axis == mesh_axis || step.column_axis == mesh_axis);
  });
}

bool has_cut_by_position(const ProductCase& subject, const Plan& plan) {
  return std::ranges::any_of(plan, [&](const Step& step) {
    const bool scatters =
        step.kind == Step::Kind::reduce_scatter || step.kind == Step::Kind::local_scatter;
    return scatters && !is_over(subject.c.rows, step.mesh_axis) &&
           !is_over(subject.c.columns, step.mesh_axis);
  });
}

}  // namespace shardcheck
