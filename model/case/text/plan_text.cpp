#include <algorithm>

#include <fmt/core.h>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/names.h>
#include "layout_text.h"
#include "plan_text.h"

namespace shardcheck {
namespace {

std::optional<Step::Kind> step_named(std::string_view name) {
  if (name == "all_gather") return Step::Kind::gather;
  for (const StepInfo& entry : step_kinds) {
    if (entry.name == name) return entry.kind;
  }
  return std::nullopt;
}

/// The tensor behind the colon.
Failure parse_tensor(Cursor& cursor, Step& step) {
  const Word before = cursor.rest();
  const StepInfo& of = info(step.kind);
  const std::string_view expected = !of.is_of_operands ? "C"
                                    : of.is_of_result  ? "A, B or C"
                                                       : "A or B";
  for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
    if (!cursor.eat(name(tensor).front())) continue;
    const bool is_allowed = tensor == Tensor::c ? of.is_of_result : of.is_of_operands;
    if (!is_allowed) return unexpected(before, std::string(expected));
    step.tensor = tensor;
    return std::nullopt;
  }
  return unexpected(before, std::string(expected));
}

/// "/x", or nothing where the mesh has one axis only.
Failure parse_step_axis(const Mesh& mesh, Cursor& cursor, Step& step) {
  if (!cursor.eat('/')) {
    if (!cursor.is_at_end() || mesh.axes.size() != 1) {
      return unexpected(cursor.rest(), "/ and a mesh axis");
    }
    step.mesh_axis = 0;
    return std::nullopt;
  }
  const Word word = cursor.eat_name();
  const auto axis = parse_mesh_axis(mesh, word.text.empty() ? cursor.rest() : word);
  if (!axis) return axis.error();
  step.mesh_axis = *axis;
  return std::nullopt;
}

/// ":x/y": the mesh axes along C's rows and along its columns.
Failure parse_grid(const Mesh& mesh, Cursor& cursor, Step& step) {
  if (!cursor.eat(':')) return unexpected(cursor.rest(), ": and two mesh axes, as :x/y");
  for (int* axis : {&step.mesh_axis, &step.column_axis}) {
    if (axis == &step.column_axis && !cursor.eat('/')) {
      return unexpected(cursor.rest(), "/ and a mesh axis");
    }
    const Word word = cursor.eat_name();
    const auto found = parse_mesh_axis(mesh, word.text.empty() ? cursor.rest() : word);
    if (!found) return found.error();
    *axis = *found;
  }
  return std::nullopt;
}

Failure parse_exchange(const Mesh& mesh, Cursor& cursor, Step& step) {
  if (cursor.is_at_end()) return std::nullopt;
  auto cuts = parse_brackets(mesh, step.tensor, cursor);
  if (!cuts) return cuts.error();
  step.has_brackets = true;
  step.rows_over = cuts->rows_over;
  step.columns_over = cuts->columns_over;
  std::sort(step.rows_over.begin(), step.rows_over.end());
  std::sort(step.columns_over.begin(), step.columns_over.end());
  return std::nullopt;
}

/// What stands behind the step's name.
Failure parse_target(const Mesh& mesh, Cursor& cursor, Step& step) {
  const StepInfo& of = info(step.kind);
  if (of.target == StepTarget::none) return std::nullopt;
  if (of.target == StepTarget::grid) return parse_grid(mesh, cursor, step);
  if (cursor.eat(':')) {
    if (Failure failed = parse_tensor(cursor, step)) return failed;
  } else if (!of.means_c_unnamed) {
    return unexpected(cursor.rest(), ": and a tensor");
  }
  return of.target == StepTarget::tensor ? parse_exchange(mesh, cursor, step)
                                         : parse_step_axis(mesh, cursor, step);
}

tl::expected<Step, ParseError> parse_step(const Mesh& mesh, Word word) {
  const std::size_t end = std::min(word.text.find_first_of(":/"), word.text.size());
  const std::optional<Step::Kind> kind = step_named(word.text.substr(0, end));
  if (!kind) return failure(word, fmt::format("a step: {}", listed_forms<step_kinds>));
  Step step;
  step.kind = *kind;
  Cursor cursor(part(word, end));
  Failure failed = parse_target(mesh, cursor, step);
  if (!failed && !cursor.is_at_end())
    failed = unexpected(cursor.rest(), "+ and a step, or the end");
  if (failed) return tl::unexpected<ParseError>(*failed);
  return step;
}

}  // namespace

tl::expected<Plan, ParseError> parse_plan(const Mesh& mesh, Word word) {
  Plan plan;
  Word piece;
  for (Pieces pieces(word, '+'); pieces.next(piece);) {
    if (static_cast<std::int64_t>(plan.size()) == limits::plan_steps) {
      return failure(piece, fmt::format("at most {} steps", limits::plan_steps));
    }
    auto step = parse_step(mesh, piece);
    if (!step) return tl::unexpected<ParseError>(step.error());
    plan.push_back(*std::move(step));
  }
  return plan;
}

tl::expected<Plan, ParseError> parse_plan(const Mesh& mesh, std::string_view text) {
  return parse_plan(mesh, Word{text, 1});
}

std::string print(const Mesh& mesh, const Plan& plan) {
  std::string text;
  for (const Step& step : plan) {
    if (!text.empty()) text += '+';
    text += name(step.kind);
    const auto axis_name = [&mesh](int axis) {
      return mesh.axes[static_cast<std::size_t>(axis)].name;
    };
    switch (info(step.kind).target) {
      case StepTarget::none: break;
      case StepTarget::grid:
        text += fmt::format(":{}/{}", axis_name(step.mesh_axis), axis_name(step.column_axis));
        break;
      case StepTarget::along:
        text += fmt::format(":{}/{}", name(step.tensor), axis_name(step.mesh_axis));
        break;
      case StepTarget::tensor:
        text += fmt::format(":{}", name(step.tensor));
        if (step.has_brackets) {
          text += print_brackets(mesh, step.tensor, step.rows_over, step.columns_over);
        }
        break;
    }
  }
  return text;
}

}  // namespace shardcheck
