#include <fmt/format.h>

#include <shardcheck/model/case/inputs/inputs.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/judge/number_text.h>

#include "lesson.h"

namespace shardcheck::tools {
namespace {

std::string_view rule_text(Split::Rule rule) {
  switch (rule) {
    case Split::Rule::balanced: return "balanced";
    case Split::Rule::ceil: return "in parts of ceil(n/p)";
    case Split::Rule::sizes: return "by given sizes";
    case Split::Rule::cyclic: return "block-cyclic";
    case Split::Rule::sets: return "by given index sets";
  }
  return "";
}

std::string layout_text(const ProductCase& subject, Tensor tensor) {
  const Layout& description = layout(subject, tensor);
  std::string text;
  for (const Axis axis : axes_of(tensor)) {
    const Cut& cut = cut_of(description, tensor, axis);
    text += text.empty() ? "" : ", ";
    text += cut.over.empty()
                ? fmt::format("{} whole", name(axis))
                : fmt::format("{} cut {} ({})", name(axis), axes_text(subject.mesh, cut.over),
                              rule_text(cut.split.rule));
  }
  if (!description.partial_over.empty()) {
    text += ", left as partial sums " + axes_text(subject.mesh, description.partial_over);
  }
  return text;
}

std::string mesh_text(const Mesh& mesh) {
  const std::int64_t ranks = rank_count(mesh);
  std::string axes;
  for (const MeshAxis& axis : mesh.axes) {
    axes += fmt::format("{}{} of size {}", axes.empty() ? "" : ", ", axis.name, axis.size);
  }
  return counted(ranks, "rank") + (axes.empty() ? "" : ", mesh " + axes);
}

std::string input_text(const ProductCase& subject, const Inputs& inputs, Tensor tensor,
                       const model::Shard& shard, const Detail& detail) {
  return matrix_text(
      std::ssize(shard.rows), std::ssize(shard.columns), subject.dtypes.in,
      [&](std::int64_t row, std::int64_t column) {
        return inputs.at(tensor, shard.rows[static_cast<std::size_t>(row)],
                         shard.columns[static_cast<std::size_t>(column)]);
      },
      detail);
}

}  // namespace

std::string question_text(const model::ProductExpectation& expectation) {
  const ProductCase& subject = expectation.subject;
  const DtypeCombination& dtypes_used = subject.dtypes;
  std::string text =
      fmt::format("  C = A·B, where A is {}×{}, B is {}×{} and C is {}×{}; {}.\n", subject.i,
                  subject.k, subject.k, subject.j, subject.i, subject.j, mesh_text(subject.mesh));
  text += fmt::format("  A starts with {}.\n", layout_text(subject, Tensor::a));
  text += fmt::format("  B starts with {}.\n", layout_text(subject, Tensor::b));
  text += fmt::format("  The consumer wants C with {}.\n", layout_text(subject, Tensor::c));
  text += fmt::format(
      "  Inputs are {}, sums are kept in {}, partials travel as {}, the result is {}.\n",
      info(dtypes_used.in).name, info(dtypes_used.acc).name, info(dtypes_used.wire).name,
      info(dtypes_used.out).name);
  text += fmt::format("  Plan: {}{}\n", print(subject.mesh, expectation.plan.steps),
                      subject.plan ? "" : " (auto)");
  return text;
}

std::string shards_text(const model::ProductExpectation& expectation, const Detail& detail) {
  const ProductCase& subject = expectation.subject;
  const Inputs inputs(subject);
  const model::PlanState& start = expectation.plan.states.front();
  return by_rank(rank_count(subject.mesh), detail, [&](std::int64_t rank) {
    const model::Shard& a = start.a.shards[static_cast<std::size_t>(rank)];
    const model::Shard& b = start.b.shards[static_cast<std::size_t>(rank)];
    return fmt::format(
        "  rank {:<3} A at {} = {}\n           B at {} = {}\n", rank,
        shard_text(Tensor::a, a, detail), input_text(subject, inputs, Tensor::a, a, detail),
        shard_text(Tensor::b, b, detail), input_text(subject, inputs, Tensor::b, b, detail));
  });
}

}  // namespace shardcheck::tools
