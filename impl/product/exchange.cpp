#include "exchange.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace shardcheck::impl {
namespace {

/// A rectangle of elements, as places in the lists of one rank.
struct Rectangle {
  Indices rows;
  Indices columns;

  bool is_empty() const { return rows.empty() || columns.empty(); }
};

/// What passes between two ranks: where it lies with its holder, and where with its owner.
struct Passage {
  Rectangle held;
  Rectangle owned;
};

struct Line {
  Indices held;
  Indices owned;
};

/// One axis of a passage: the indices that `holder` had and `owner` gets, in the owner's order.
Line line_of(const ListsPool& pool, ListsId from, ListsId to, std::int64_t holder,
             std::int64_t owner, const std::int32_t* place, Workspace& workspace) {
  const auto cell = static_cast<std::int32_t>(cell_of(pool.grid(), pool.over(from), holder));
  const Indices wanted = pool.held(to, owner);
  const auto room = static_cast<std::int64_t>(wanted.size() * sizeof(std::int32_t));
  auto* held = reinterpret_cast<std::int32_t*>(workspace.take_for_lists(room));
  auto* owned = reinterpret_cast<std::int32_t*>(workspace.take_for_lists(room));
  std::size_t count = 0;
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    const auto index = static_cast<std::size_t>(wanted[at]);
    if (pool.cells(from)[index] != cell) continue;
    held[count] = place[index];
    owned[count] = static_cast<std::int32_t>(at);
    ++count;
  }
  return {{held, count}, {owned, count}};
}

/// By index: its place in the list of the cell that holds it.
const std::int32_t* places(const ListsPool& pool, ListsId lists, Workspace& workspace) {
  auto* place = reinterpret_cast<std::int32_t*>(workspace.take_for_lists(
      pool.extent(lists) * static_cast<std::int64_t>(sizeof(std::int32_t))));
  const AxisLists& all = pool[lists];
  for (std::size_t cell = 0; cell + 1 < all.starts.size(); ++cell) {
    for (std::int32_t at = all.starts[cell]; at < all.starts[cell + 1]; ++at) {
      place[all.indices[static_cast<std::size_t>(at)]] = at - all.starts[cell];
    }
  }
  return place;
}

class Router {
 public:
  Router(const Exchange& how, Workspace& workspace)
      : how_(how),
        workspace_(workspace),
        row_places_(places(how.pool, how.from.rows, workspace)),
        column_places_(places(how.pool, how.from.columns, workspace)) {}

  Passage between(std::int64_t holder, std::int64_t owner) const {
    const Line rows =
        line_of(how_.pool, how_.from.rows, how_.to.rows, holder, owner, row_places_, workspace_);
    const Line columns = line_of(how_.pool, how_.from.columns, how_.to.columns, holder, owner,
                                 column_places_, workspace_);
    return {{rows.held, columns.held}, {rows.owned, columns.owned}};
  }

  /// True if the two ranks are holders of one copy of the tensor.
  bool share_a_copy(std::int64_t one, std::int64_t other) const {
    const Grid& grid = how_.pool.grid();
    const MeshAxes cutting = how_.pool.over(how_.from.rows) | how_.pool.over(how_.from.columns);
    const MeshAxes rest = ((MeshAxes{1} << grid.axis_count) - 1) & ~cutting;
    return cell_of(grid, rest, one) == cell_of(grid, rest, other);
  }

 private:
  const Exchange& how_;
  Workspace& workspace_;
  const std::int32_t* row_places_;
  const std::int32_t* column_places_;
};

/// Calls act(place before, place after) for each element of a passage, in the owner's order.
template <typename Act>
void for_each_element(const Passage& passage, std::size_t columns_before, std::size_t columns_after,
                      Act act) {
  for (std::size_t row = 0; row < passage.held.rows.size(); ++row) {
    const std::size_t before = static_cast<std::size_t>(passage.held.rows[row]) * columns_before;
    const std::size_t after = static_cast<std::size_t>(passage.owned.rows[row]) * columns_after;
    for (std::size_t column = 0; column < passage.held.columns.size(); ++column) {
      act(before + static_cast<std::size_t>(passage.held.columns[column]),
          after + static_cast<std::size_t>(passage.owned.columns[column]));
    }
  }
}

std::size_t elements_in(const Passage& passage) {
  return passage.held.rows.size() * passage.held.columns.size();
}

}  // namespace

void exchange(Endpoint& endpoint, const Exchange& how, const std::byte* elements,
              std::byte* destination, std::uint8_t* is_sent, Workspace& workspace) {
  const Workspace::Mark mark = workspace.mark();
  const Router router(how, workspace);
  const ListsPool& pool = how.pool;
  const std::int64_t self = endpoint.rank();
  const std::int64_t rank_count = pool.grid().rank_count;
  const auto width = static_cast<std::size_t>(how.element_bytes);
  const std::size_t columns_before = pool.held(how.from.columns, self).size();
  const std::size_t columns_after = pool.held(how.to.columns, self).size();
  auto* sends = reinterpret_cast<Pending*>(
      workspace.take_for_lists(rank_count * static_cast<std::int64_t>(sizeof(Pending))));
  std::size_t send_count = 0;
  for (std::int64_t owner = 0; owner < rank_count; ++owner) {
    if (!router.share_a_copy(self, owner)) continue;
    const Passage passage = router.between(self, owner);
    if (passage.held.is_empty()) continue;
    if (owner == self) {
      for_each_element(passage, columns_before, columns_after,
                       [&](std::size_t before, std::size_t after) {
                         std::memcpy(destination + after * width, elements + before * width, width);
                       });
      continue;
    }
    const std::size_t bytes = elements_in(passage) * width;
    std::byte* payload = workspace.take(static_cast<std::int64_t>(bytes));
    std::byte* next = payload;
    for_each_element(passage, columns_before, columns_after, [&](std::size_t before, std::size_t) {
      std::memcpy(next, elements + before * width, width);
      next += width;
      if (is_sent != nullptr) is_sent[before] = 1;
    });
    std::construct_at(sends + send_count++, endpoint.start_send(owner, {payload, bytes}));
  }
  for (std::int64_t holder = 0; holder < rank_count; ++holder) {
    if (holder == self || !router.share_a_copy(self, holder)) continue;
    const Passage passage = router.between(holder, self);
    if (passage.held.is_empty()) continue;
    struct Arrival {
      const Passage& passage;
      std::size_t columns_after;
      std::size_t width;
      std::byte* destination;
    } arrival{passage, columns_after, width, destination};
    endpoint.receive(
        holder, elements_in(passage) * width, [&arrival](std::span<const std::byte> message) {
          const std::byte* next = message.data();
          for_each_element(
              arrival.passage, 0, arrival.columns_after, [&](std::size_t, std::size_t after) {
                std::memcpy(arrival.destination + after * arrival.width, next, arrival.width);
                next += arrival.width;
              });
        });
  }
  for (std::size_t send = 0; send < send_count; ++send) endpoint.wait(sends[send]);
  workspace.release(mark);
}

void keep_unsent(std::int64_t rank, const Exchange& how, const std::byte* elements,
                 const std::uint8_t* is_sent, std::byte* destination, Workspace& workspace) {
  const Workspace::Mark mark = workspace.mark();
  const Passage kept = Router(how, workspace).between(rank, rank);
  const auto width = static_cast<std::size_t>(how.element_bytes);
  for_each_element(kept, how.pool.held(how.from.columns, rank).size(),
                   how.pool.held(how.to.columns, rank).size(),
                   [&](std::size_t before, std::size_t after) {
                     if (is_sent[before] != 0) return;
                     std::memcpy(destination + after * width, elements + before * width, width);
                   });
  workspace.release(mark);
}

}  // namespace shardcheck::impl
