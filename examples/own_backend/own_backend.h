#pragma once

/// Somebody's own sharded product, as a Backend: K split over the ranks, partials summed, the rows
/// of C scattered. It is small and honest, and it has the bug of so many: uneven shards are taken
/// for even ones. shardcheck finds it, and says with the smallest case that shows it.

#include <shardcheck/model/case/backend.h>

class OwnBackend final : public shardcheck::Backend {
 public:
  std::string_view name() const override { return "own"; }

  /// Products alone: cases of other kinds are never asked of it.
  bool serves(shardcheck::Kind kind) const override { return kind == shardcheck::Kind::product; }

  /// It adds the partials in whatever order it likes, so it promises no order. Nor one within
  /// ranks: it leaves K cut even where the cheapest plan, which a case means unless it names one,
  /// makes K whole.
  shardcheck::Promises promises() const override {
    return {.declared_order = false, .local_order = false, .equal_replicas = true};
  }

  shardcheck::Observation run(const shardcheck::Request& request) override;
};
