#pragma once

/// A plan: the sequence of local products and collectives that turns the shards of A and B into
/// what the consumer of C asks for. docs/plans.md defines what every step does.
///
///     local+reduce_scatter:C/x+gather:C/x

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
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
    // Woven: a local product in the moves before or after it.
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

/// What a step names behind its colon.
enum class StepTarget : std::uint8_t {
  none,    ///< nothing: `local`
  tensor,  ///< a tensor alone, perhaps with brackets: `exchange:A[i,k/x]`
  along,   ///< a tensor and a mesh axis: `gather:A/x`
  grid     ///< two mesh axes: `summa:x/y`
};

struct StepInfo {
  Step::Kind kind = Step::Kind::local;
  std::string_view name;
  std::string_view form;  ///< as in a plan
  StepTarget target = StepTarget::none;
  bool is_of_operands = false;   ///< may name A or B, or works on both
  bool is_of_result = false;     ///< may name C
  bool means_c_unnamed = false;  ///< the tensor may be left out: then it is C
  bool is_sum = false;           ///< partials are added across ranks
  bool multiplies = false;       ///< C exists from this step on; one step of a legal plan does
  bool is_woven = false;         ///< a local product woven into the moves before or after it
};

/// In the order of the enumerators.
inline constexpr std::array<StepInfo, 10> step_kinds{{
    {.kind = Step::Kind::slice,
     .name = "slice",
     .form = "slice:A/x",
     .target = StepTarget::along,
     .is_of_operands = true,
     .is_of_result = true},
    {.kind = Step::Kind::gather,
     .name = "gather",
     .form = "gather:A/x",
     .target = StepTarget::along,
     .is_of_operands = true,
     .is_of_result = true,
     .means_c_unnamed = true},
    {.kind = Step::Kind::exchange,
     .name = "exchange",
     .form = "exchange:A",
     .target = StepTarget::tensor,
     .is_of_operands = true,
     .is_of_result = true},
    {.kind = Step::Kind::local, .name = "local", .form = "local", .multiplies = true},
    {.kind = Step::Kind::reduce_scatter,
     .name = "reduce_scatter",
     .form = "reduce_scatter:C/x",
     .target = StepTarget::along,
     .is_of_result = true,
     .means_c_unnamed = true,
     .is_sum = true},
    {.kind = Step::Kind::all_reduce,
     .name = "all_reduce",
     .form = "all_reduce:C/x",
     .target = StepTarget::along,
     .is_of_result = true,
     .means_c_unnamed = true,
     .is_sum = true},
    {.kind = Step::Kind::gather_local,
     .name = "gather_local",
     .form = "gather_local:A/x",
     .target = StepTarget::along,
     .is_of_operands = true,
     .multiplies = true,
     .is_woven = true},
    {.kind = Step::Kind::local_scatter,
     .name = "local_scatter",
     .form = "local_scatter:C/x",
     .target = StepTarget::along,
     .is_of_result = true,
     .means_c_unnamed = true,
     .is_sum = true,
     .multiplies = true,
     .is_woven = true},
    {.kind = Step::Kind::summa,
     .name = "summa",
     .form = "summa:x/y",
     .target = StepTarget::grid,
     .is_of_operands = true,
     .multiplies = true,
     .is_woven = true},
    {.kind = Step::Kind::cannon,
     .name = "cannon",
     .form = "cannon:x/y",
     .target = StepTarget::grid,
     .is_of_operands = true,
     .multiplies = true,
     .is_woven = true},
}};

constexpr const StepInfo& info(Step::Kind kind) {
  return step_kinds[static_cast<std::size_t>(kind)];
}

constexpr std::string_view name(Step::Kind kind) { return info(kind).name; }

/// Whether a local product is woven into the step's moves.
constexpr bool is_woven(Step::Kind kind) { return info(kind).is_woven; }

/// Whether C exists from this step on. One step of a legal plan does.
constexpr bool multiplies(Step::Kind kind) { return info(kind).multiplies; }

}  // namespace shardcheck
