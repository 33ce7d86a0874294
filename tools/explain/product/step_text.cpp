#include <fmt/format.h>

#include "lesson.h"

namespace shardcheck::tools {
namespace {

std::string algorithm_text(const ProductCase& subject, Collective collective) {
  return std::string(name(algorithm_of(subject, collective)));
}

std::string summa_text(const Mesh& mesh, const Step& step) {
  return fmt::format(
      "SUMMA: panel by panel, A's go {} and B's {} to every rank and are multiplied; stands for "
      "gather:A, gather:B, local",
      axes_text(mesh, {step.column_axis}), axes_text(mesh, {step.mesh_axis}));
}

std::string cannon_text(const Mesh& mesh, const Step& step) {
  return fmt::format(
      "Cannon: blocks are skewed, then multiplied and shifted by one, A's {} and B's {}, until "
      "each "
      "rank has had all of its rows and columns; stands for gather:A, gather:B, local",
      axes_text(mesh, {step.column_axis}), axes_text(mesh, {step.mesh_axis}));
}

}  // namespace

std::string meaning_of(const ProductCase& subject, const Step& step) {
  const std::string over =
      step.mesh_axis < 0 ? std::string() : axes_text(subject.mesh, {step.mesh_axis});
  const std::string_view tensor = name(step.tensor);
  switch (step.kind) {
    case Step::Kind::slice:
      return fmt::format("{} is replicated {}: each rank keeps its part; nothing is sent", tensor,
                         over);
    case Step::Kind::gather:
      return fmt::format("all-gather ({}): the parts of {} {} become replicas",
                         algorithm_text(subject, Collective::all_gather), tensor, over);
    case Step::Kind::exchange:
      return fmt::format("{} is cut anew: each element goes to the ranks that must hold it",
                         tensor);
    case Step::Kind::local: return "each rank multiplies what it holds of A and B; nothing is sent";
    case Step::Kind::reduce_scatter:
      return fmt::format(
          "reduce-scatter ({}): the partials {} are summed, each rank keeps its part",
          algorithm_text(subject, Collective::reduce_scatter), over);
    case Step::Kind::all_reduce:
      return fmt::format("all-reduce ({}): the partials {} are summed, each rank keeps all",
                         algorithm_text(subject, Collective::all_reduce), over);
    case Step::Kind::gather_local:
      return fmt::format(
          "a ring {}: each rank multiplies the part of {} that it has while it passes that on, its "
          "own first; stands for gather:{}, local",
          over, tensor, tensor);
    case Step::Kind::local_scatter:
      return fmt::format(
          "a ring {}: each rank multiplies the block that is due and adds what arrived for it; "
          "stands for local, reduce_scatter:C (ring)",
          over);
    case Step::Kind::summa: return summa_text(subject.mesh, step);
    case Step::Kind::cannon: return cannon_text(subject.mesh, step);
  }
  return "";
}

std::string state_text(const ProductCase& subject, const model::PlanState& state,
                       const Detail& detail) {
  return by_rank(rank_count(subject.mesh), detail, [&](std::int64_t rank) {
    const auto at = static_cast<std::size_t>(rank);
    if (!state.c) {
      return fmt::format("  rank {:<3} A {}; B {}\n", rank,
                         shard_text(Tensor::a, state.a.shards[at], detail),
                         shard_text(Tensor::b, state.b.shards[at], detail));
    }
    const std::vector<int>& open = state.c->partial_over;
    return fmt::format("  rank {:<3} C {}{}\n", rank,
                       shard_text(Tensor::c, state.c->shards[at], detail),
                       open.empty() ? "" : ", partial " + axes_text(subject.mesh, open));
  });
}

}  // namespace shardcheck::tools
