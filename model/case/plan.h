#pragma once

/// A plan: the sequence of local products and collectives that turns the shards of A and B into
/// what the consumer of C asks for. docs/plans.md defines what every step does.
///
///     local+reduce_scatter:C/x+gather:C/x

#include <cstdint>
#include <vector>

#include "layout.h"

namespace shardcheck {

struct Step {
  enum class Kind : std::uint8_t {
    slice,           ///< a replica keeps its part only; nothing is sent
    gather,          ///< the parts over one mesh axis become replicas (an all-gather)
    exchange,        ///< the tensor is cut anew; what changes owner is sent
    local,           ///< every rank multiplies what it holds
    reduce_scatter,  ///< the partials over one mesh axis are summed, the result is cut over it
    all_reduce,      ///< the partials over one mesh axis are summed, the result is replicated
    // Schedules: a local product woven into the moves before or after it.
    gather_local,   ///< a ring all-gather, each block multiplied as it arrives
    local_scatter,  ///< a ring reduce-scatter, each block multiplied when it is due
    summa,          ///< panel by panel, A's along one mesh axis and B's along another
    cannon          ///< blocks of A and B shifted round a square grid
  };

  Kind kind = Kind::local;
  Tensor tensor = Tensor::c;  ///< C for `local`, `summa` and `cannon`
  int mesh_axis = -1;         ///< index into Mesh::axes; -1 for `local` and `exchange`
  /// `exchange` alone: brackets say how the tensor is cut afterwards. False: as docs/plans.md says
  /// for an exchange without brackets, and the two lists below are empty.
  bool has_brackets = false;
  std::vector<int> rows_over;     ///< mesh axes that cut the rows afterwards, ascending
  std::vector<int> columns_over;  ///< those that cut the columns, ascending
  /// `summa` and `cannon` alone: mesh_axis is the one along which B's panels travel (C's rows),
  /// this the one along which A's do (C's columns).
  int column_axis = -1;

  bool operator==(const Step&) const = default;
};

using Plan = std::vector<Step>;

/// Whether a local product is woven into the step's moves.
constexpr bool is_schedule(Step::Kind kind) {
  switch (kind) {
    case Step::Kind::gather_local:
    case Step::Kind::local_scatter:
    case Step::Kind::summa:
    case Step::Kind::cannon: return true;
    case Step::Kind::slice:
    case Step::Kind::gather:
    case Step::Kind::exchange:
    case Step::Kind::local:
    case Step::Kind::reduce_scatter:
    case Step::Kind::all_reduce: break;
  }
  return false;
}

/// Whether C exists from this step on. One step of a legal plan does.
constexpr bool multiplies(Step::Kind kind) {
  return kind == Step::Kind::local || is_schedule(kind);
}

}  // namespace shardcheck
