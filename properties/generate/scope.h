#pragma once

/// Restrictions once they are understood: which kinds of case they leave, and what each drawn part
/// of a case is held to.
///
///     scopes_of({{{"kind", "collective"}, {"op", "max"}}})->calls->op == Operator::max

#include <optional>
#include <string>

#include <tl/expected.hpp>

#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/kinds/calls/draw/scope.h>
#include <shardcheck/properties/kinds/product/draw/scope.h>

#include "generate.h"

namespace shardcheck {

/// What restrictions leave of each kind of case; nothing: they rule that kind out.
struct Scopes {
  std::optional<ProductScope> products = ProductScope{};
  std::optional<CallsScope> calls = CallsScope{};
};

/// Keys that only one kind of case has rule the other out, as `kind=matmul` and `kind=collective`
/// do. Or what is wrong with the first bad entry, in one line.
tl::expected<Scopes, std::string> scopes_of(const Restrictions& restrictions);

bool leaves(const Scopes& scopes, Kind kind);
void rule_out(Scopes& scopes, Kind kind);

/// Requires: the kind is left.
SettingScope& setting_scope(Scopes& scopes, Kind kind);

}  // namespace shardcheck
