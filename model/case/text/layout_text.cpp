#include "layout_text.h"

#include <algorithm>

#include <fmt/core.h>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/product_case.h>

namespace shardcheck {
namespace {

bool is_among(const std::vector<int>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}

const std::string& axis_name(const Mesh& mesh, int axis) {
  return mesh.axes[static_cast<std::size_t>(axis)].name;
}

std::string names_of(const Mesh& mesh) {
  if (mesh.axes.empty()) return "none: the case has no mesh";
  std::string names;
  for (const MeshAxis& axis : mesh.axes) names += (names.empty() ? "" : ", ") + axis.name;
  return names;
}

tl::expected<MeshAxis, ParseError> parse_axis(Word word, std::int64_t ranks_so_far) {
  // The size is all the digits at the end, so that no name ends in a digit.
  const std::size_t letters = word.text.find_last_not_of("0123456789") + 1;
  const std::string_view name = word.text.substr(0, letters);
  const bool is_named = !name.empty() && is_letter(name.front()) &&
                        std::all_of(name.begin(), name.end(), is_letter_or_digit);
  if (!is_named || letters == word.text.size()) return failure(word, "a mesh axis, as x2");
  const auto size = parse_count(part(word, letters), limits::ranks / ranks_so_far);
  if (!size || *size == 0) {
    return failure(part(word, letters),
                   fmt::format("a size from 1, and at most {} ranks in all", limits::ranks));
  }
  return MeshAxis{std::string(name), *size};
}

/// "i/x/y": the axis, then the mesh axes that cut it.
Failure parse_cut(const Mesh& mesh, Axis axis, const std::vector<int>& taken, Cursor& cursor,
                  std::vector<int>& over) {
  const Word found = cursor.eat_name();
  if (found.text != name(axis)) {
    return unexpected(found.text.empty() ? cursor.rest() : found,
                      fmt::format("axis {}", name(axis)));
  }
  while (cursor.eat('/')) {
    const Word word = cursor.eat_name();
    const auto mesh_axis = parse_mesh_axis(mesh, word.text.empty() ? cursor.rest() : word);
    if (!mesh_axis) return mesh_axis.error();
    if (is_among(over, *mesh_axis) || is_among(taken, *mesh_axis)) {
      return unexpected(word, "each mesh axis once in a tensor");
    }
    over.push_back(*mesh_axis);
  }
  return std::nullopt;
}

}  // namespace

tl::expected<Mesh, ParseError> parse_mesh(Word word) {
  Mesh mesh;
  Word piece;
  for (Pieces pieces(word, ','); pieces.next(piece);) {
    if (static_cast<std::int64_t>(mesh.axes.size()) == limits::mesh_axes) {
      return failure(piece, fmt::format("at most {} mesh axes", limits::mesh_axes));
    }
    const auto axis = parse_axis(piece, rank_count(mesh));
    if (!axis) return tl::unexpected<ParseError>(axis.error());
    const bool is_known = std::any_of(mesh.axes.begin(), mesh.axes.end(),
                                      [&](const MeshAxis& a) { return a.name == axis->name; });
    if (is_known) return failure(piece, "each mesh axis once");
    mesh.axes.push_back(*axis);
  }
  return mesh;
}

tl::expected<int, ParseError> parse_mesh_axis(const Mesh& mesh, Word word) {
  for (std::size_t at = 0; at < mesh.axes.size(); ++at) {
    if (mesh.axes[at].name == word.text) return static_cast<int>(at);
  }
  return failure(word, fmt::format("an axis of the mesh ({})", names_of(mesh)));
}

tl::expected<BracketedCuts, ParseError> parse_brackets(const Mesh& mesh, Tensor tensor,
                                                       Cursor& cursor) {
  BracketedCuts cuts;
  const auto [rows, columns] = axes_of(tensor);
  if (!cursor.eat('[')) return failure(cursor.rest(), "[");
  if (Failure failed = parse_cut(mesh, rows, {}, cursor, cuts.rows_over)) {
    return tl::unexpected<ParseError>(*failed);
  }
  if (!cursor.eat(',')) {
    return failure(cursor.rest(),
                   fmt::format("/ and a mesh axis, or , and axis {}", name(columns)));
  }
  if (Failure failed = parse_cut(mesh, columns, cuts.rows_over, cursor, cuts.columns_over)) {
    return tl::unexpected<ParseError>(*failed);
  }
  if (!cursor.eat(']')) return failure(cursor.rest(), "/ and a mesh axis, or ]");
  return cuts;
}

tl::expected<Layout, ParseError> parse_layout(const Mesh& mesh, Tensor tensor, Word word) {
  Cursor cursor(part(word, name(tensor).size()));
  auto cuts = parse_brackets(mesh, tensor, cursor);
  if (!cuts) return tl::unexpected<ParseError>(cuts.error());
  Layout layout;
  layout.rows.over = cuts->rows_over;
  layout.columns.over = cuts->columns_over;
  if (tensor != Tensor::c && !cursor.is_at_end()) {
    return failure(cursor.rest(), "a space: only C may be partial");
  }
  while (!cursor.is_at_end()) {
    if (!cursor.eat('+')) return failure(cursor.rest(), "+ and a mesh axis, or a space");
    const Word found = cursor.eat_name();
    const auto axis = parse_mesh_axis(mesh, found.text.empty() ? cursor.rest() : found);
    if (!axis) return tl::unexpected<ParseError>(axis.error());
    if (is_among(layout.rows.over, *axis) || is_among(layout.columns.over, *axis)) {
      return failure(found, "a mesh axis that doesn't cut C");
    }
    if (is_among(layout.partial_over, *axis)) return failure(found, "each mesh axis once");
    layout.partial_over.push_back(*axis);
  }
  std::sort(layout.partial_over.begin(), layout.partial_over.end());
  return layout;
}

std::string print_mesh(const Mesh& mesh) {
  std::string text;
  for (const MeshAxis& axis : mesh.axes) {
    text += fmt::format("{}{}{}", text.empty() ? "" : ",", axis.name, axis.size);
  }
  return text;
}

std::string print_brackets(const Mesh& mesh, Tensor tensor, const std::vector<int>& rows_over,
                           const std::vector<int>& columns_over) {
  const auto [rows, columns] = axes_of(tensor);
  std::string text = "[";
  text += name(rows);
  for (const int axis : rows_over) text += "/" + axis_name(mesh, axis);
  text += ",";
  text += name(columns);
  for (const int axis : columns_over) text += "/" + axis_name(mesh, axis);
  return text + "]";
}

std::string print(const ProductCase& subject, Tensor tensor) {
  const Layout& of = layout(subject, tensor);
  std::string text(name(tensor));
  text += print_brackets(subject.mesh, tensor, of.rows.over, of.columns.over);
  for (const int axis : of.partial_over) text += "+" + axis_name(subject.mesh, axis);
  return text;
}

}  // namespace shardcheck
