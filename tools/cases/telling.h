#pragma once

/// What differs from kind to kind where cases are told of and kept: one row a kind. What a row
/// leaves out, the kind hasn't got.

#include <optional>
#include <string>

#include <shardcheck/model/case/case.h>

namespace shardcheck::tools {

struct Telling {
  Kind kind = Kind::product;

  /// What added the partials up: "reduce_scatter ring"; empty: nothing did. `taken`: the plan as it
  /// was resolved; empty: not known, or the kind has none.
  std::string (*reducer)(const Case& subject, const Plan& taken) = nullptr;

  /// The case with what it leaves to be chosen spelled out, by this plan, or, where it is empty, by
  /// the one that the case means; nothing: it leaves nothing.
  std::optional<Case> (*spelled)(const Case& subject, const Plan& taken) = nullptr;
};

const Telling& telling_of(Kind kind);

/// The rows.
extern const Telling product_telling;
extern const Telling calls_telling;

}  // namespace shardcheck::tools
