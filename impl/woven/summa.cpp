#include "summa.h"

#include <algorithm>
#include <array>
#include <vector>

#include <shardcheck/impl/collectives/partials.h>

namespace shardcheck::impl {
namespace {

struct Panel {
  std::int64_t a_part = 0;  ///< the member along the grid's rows that holds its columns of A
  std::int64_t b_part = 0;  ///< the member along the grid's columns that holds its rows of B
  Indices ks;
};

/// In the order in which they are multiplied.
std::vector<Panel> panels_of(const RankRun& run, const Turn& turn) {
  // Each is cut over one mesh axis, so that cells are parts.
  const AxisLists& a_parts = run.pool[turn.from.a.columns];
  const std::span<const std::int32_t> b_part_of = run.pool.cells(turn.from.b.rows);
  const auto a_part_count = static_cast<std::int64_t>(a_parts.starts.size()) - 1;
  const auto b_part_count = static_cast<std::int64_t>(run.pool[turn.from.b.rows].starts.size()) - 1;
  auto* next = reinterpret_cast<std::int32_t*>(run.workspace.take_for_lists(
      static_cast<std::int64_t>(a_parts.indices.size() * sizeof(std::int32_t))));
  std::vector<Panel> panels;
  for (std::int64_t a_part = 0; a_part < a_part_count; ++a_part) {
    const Indices ks = list_of(a_parts, a_part);
    for (std::int64_t b_part = 0; b_part < b_part_count; ++b_part) {
      std::int32_t* const first = next;
      next = std::copy_if(ks.begin(), ks.end(), first, [&](std::int32_t k) {
        return b_part_of[static_cast<std::size_t>(k)] == b_part;
      });
      if (next != first) panels.push_back({a_part, b_part, Indices(first, next)});
    }
  }
  return panels;
}

/// One operand's panels, as they are sent along one mesh axis. Two have room at a time.
class Lane {
 public:
  /// `longest`: the most elements of a panel.
  Lane(RankRun& run, const Turn& turn, Tensor tensor, int mesh_axis, std::int64_t longest)
      : run_(run),
        is_a_(tensor == Tensor::a),
        shard_(run.shard_of(tensor)),
        member_{run.endpoint, group_along(run.pool.grid(), mesh_axis, run.rank), turn.phase,
                run.workspace},
        width_(info(run.subject.dtypes.in).bytes),
        slots_{Slot(*this, longest), Slot(*this, longest)} {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// Sends panel number `number`, or starts to receive it.
  /// Requires: the one two before it has been sent and is no longer needed.
  void start(std::size_t number, const Panel& panel);
  /// The panel once it is here, in dtype in.
  Shard arrived(std::size_t number);
  void wait_until_sent(std::size_t number) { slots_[number % 2].sends.wait_for_all(); }

 private:
  struct Slot {
    Slot(const Lane& lane, std::int64_t longest)
        : room(lane.run_.workspace.take(longest * lane.width_)),
          sends(lane.member_, lane.member_.group.count - 1) {}

    std::byte* room;
    Shard panel;
    bool is_arriving = false;
    Pending receive;
    Sends sends;
  };

  const std::byte* own_elements(const Panel& panel, std::byte* room);

  RankRun& run_;
  bool is_a_;
  Shard shard_;
  Member member_;
  std::int64_t width_;
  std::array<Slot, 2> slots_;
};

/// The rank's own part of a panel: where it lies if it lies together there, else copied to `room`.
const std::byte* Lane::own_elements(const Panel& panel, std::byte* room) {
  const Workspace::Mark mark = run_.workspace.mark();
  const Positions positions =
      positions_in(is_a_ ? shard_.columns : shard_.rows, panel.ks, run_.subject.k, run_.workspace);
  // Whole rows lie together; columns only if they are all that there are.
  const auto first_row = is_a_ ? std::nullopt : first_of_run(positions);
  const std::byte* elements = room;
  if (!positions) {
    elements = shard_.elements;
  } else if (first_row) {
    elements = shard_.elements + *first_row * shard_.column_count() * width_;
  } else if (is_a_) {
    select(shard_, std::nullopt, positions, width_, room);
  } else {
    select(shard_, positions, std::nullopt, width_, room);
  }
  run_.workspace.release(mark);
  return elements;
}

void Lane::start(std::size_t number, const Panel& panel) {
  Slot& slot = slots_[number % 2];
  const Group& group = member_.group;
  const std::int64_t owner = is_a_ ? panel.a_part : panel.b_part;
  slot.panel =
      is_a_ ? Shard{shard_.rows, panel.ks, slot.room} : Shard{panel.ks, shard_.columns, slot.room};
  slot.is_arriving = owner != group.self;
  const std::int64_t bytes = slot.panel.count() * width_;
  if (slot.is_arriving) {
    slot.receive = start_receive(member_, owner, slot.room, bytes);
    return;
  }
  slot.panel.elements = own_elements(panel, slot.room);
  for (std::int64_t distance = 1; distance < group.count; ++distance) {
    slot.sends.add(
        start_send(member_, wrapped(group, group.self + distance), slot.panel.elements, bytes));
  }
}

Shard Lane::arrived(std::size_t number) {
  Slot& slot = slots_[number % 2];
  if (slot.is_arriving) run_.endpoint.wait(slot.receive);
  return slot.panel;
}

}  // namespace

void summa(RankRun& run, const Turn& turn) {
  Shard c = run.held(turn.to.c, nullptr);
  std::byte* sums = run.room_for_sums(c.count());
  const Workspace::Mark mark = run.workspace.mark();
  const std::vector<Panel> panels = panels_of(run, turn);
  std::int64_t deepest = 0;
  for (const Panel& panel : panels) {
    deepest = std::max(deepest, static_cast<std::int64_t>(panel.ks.size()));
  }
  Lane a(run, turn, Tensor::a, turn.step.column_axis, c.row_count() * deepest);
  Lane b(run, turn, Tensor::b, turn.step.mesh_axis, deepest * c.column_count());
  run.endpoint.begin_phase(turn.phase, run.subject.dtypes.in);
  const auto start = [&](std::size_t number) {
    a.start(number, panels[number]);
    b.start(number, panels[number]);
  };
  const auto wait_until_sent = [&](std::size_t number) {
    a.wait_until_sent(number);
    b.wait_until_sent(number);
  };
  run.note_ks({});
  if (panels.empty()) {
    // Without any k all sums are +0, all bits 0 in every storage.
    std::fill_n(sums, c.count() * bytes_of(run.storage), std::byte{0});
  } else {
    start(0);
  }
  for (std::size_t number = 0; number < panels.size(); ++number) {
    const Shard a_panel = a.arrived(number);
    const Shard b_panel = b.arrived(number);
    if (number > 0) wait_until_sent(number - 1);
    if (number + 1 < panels.size()) start(number + 1);
    const Workspace::Mark panel_mark = run.workspace.mark();
    const Indices ks = panels[number].ks;
    run.multiply(a_panel, b_panel, {c.rows, ks, c.columns}, {sums, c.column_count()},
                 number == 0 ? Sums::begin : Sums::go_on);
    run.note_ks(ks);
    run.workspace.release(panel_mark);
  }
  if (!panels.empty()) wait_until_sent(panels.size() - 1);
  run.workspace.release(mark);
  c.elements = sums;
  run.c = c;
  run.note_partial(c.rows, c.columns, sums);
}

}  // namespace shardcheck::impl
