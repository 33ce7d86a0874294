#pragma once

/// Meshes and layouts as text.
///
///     x2,y3    two mesh axes
///     A[i,k/x/y]    k cut over x, then each part over y
///     C[i/x,j]+y    rows cut over x, the sum unfinished over y

#include <string>
#include <vector>

#include <shardcheck/model/case/layout.h>
#include <shardcheck/model/case/mesh.h>
#include "word.h"

namespace shardcheck {

tl::expected<Mesh, ParseError> parse_mesh(Word word);

/// Splits are left `balanced`.
tl::expected<Layout, ParseError> parse_layout(const Mesh& mesh, Tensor tensor, Word word);

/// The mesh axis called `word`.
tl::expected<int, ParseError> parse_mesh_axis(const Mesh& mesh, Word word);

/// The mesh axes that cut the rows and the columns.
struct BracketedCuts {
  std::vector<int> rows_over;
  std::vector<int> columns_over;
};

/// "[i,k/x]" at the front of `cursor`.
tl::expected<BracketedCuts, ParseError> parse_brackets(const Mesh& mesh, Tensor tensor,
                                                       Cursor& cursor);

std::string print_mesh(const Mesh& mesh);

/// "[i,k/x]"
std::string print_brackets(const Mesh& mesh, Tensor tensor, const std::vector<int>& rows_over,
                           const std::vector<int>& columns_over);

}  // namespace shardcheck
