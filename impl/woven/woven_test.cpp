// Random cases of every schedule: beside the plain steps that it stands for, and beside the
// definition of its order and its bytes, written out here as plain loops over lists of indices.

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <optional>

#include <gtest/gtest.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>

#include <shardcheck/impl/by_hand/run_case.h>
#include <shardcheck/impl/rank/rank_tensor.h>

#include <shardcheck/impl/by_hand/woven_cases.h>

namespace shardcheck::impl {
namespace {

constexpr std::array schedules{Step::Kind::gather_local, Step::Kind::local_scatter,
                               Step::Kind::summa, Step::Kind::cannon};

/// The first step of a case's plan: who holds what before and after it.
struct Start {
  explicit Start(const ProductCase& subject) : situation(subject), step(subject.plan->front()) {
    before = situation.start;
    after = *impl::after(situation, before, compact(step));
  }

  Indices held(ListsId lists, std::int64_t rank) const { return situation.pool.held(lists, rank); }
  Group group(int mesh_axis, std::int64_t rank) const {
    return group_along(situation.pool.grid(), mesh_axis, rank);
  }
  std::int64_t ranks() const { return situation.pool.grid().rank_count; }

  Situation situation;
  Step step;
  PlanState before;
  PlanState after;
};

void append(std::vector<std::int64_t>& order, Indices ks) {
  order.insert(order.end(), ks.begin(), ks.end());
}

bool rings_over_k(const Start& start) {
  if (start.step.kind != Step::Kind::gather_local) return false;
  const PlanState& state = start.before;
  const ListsId k = start.step.tensor == Tensor::a ? state.a.columns : state.b.rows;
  return (start.situation.pool.over(k) & only(start.step.mesh_axis)) != 0;
}

/// The order of a rank's local sums, from docs/plans.md, "Woven steps".
std::vector<std::int64_t> order_of(const Start& start, std::int64_t rank) {
  const PlanState& state = start.before;
  const Group along_x = start.group(start.step.mesh_axis, rank);
  std::vector<std::int64_t> order;
  if (rings_over_k(start)) {
    const ListsId k = start.step.tensor == Tensor::a ? state.a.columns : state.b.rows;
    for (std::int64_t back = 0; back < along_x.count; ++back) {
      const std::int64_t member = (along_x.self + along_x.count - back) % along_x.count;
      append(order, start.held(k, rank_of(along_x, member)));
    }
    return order;
  }
  if (start.step.column_axis < 0) {
    append(order, start.held(state.a.columns, rank));
    return order;
  }
  const Group along_y = start.group(start.step.column_axis, rank);
  if (start.step.kind == Step::Kind::cannon) {
    for (std::int64_t round = 0; round < along_y.count; ++round) {
      const std::int64_t part = (along_x.self + along_y.self + round) % along_y.count;
      append(order, start.held(state.a.columns, rank_of(along_y, part)));
    }
    return order;
  }
  for (std::int64_t q = 0; q < along_y.count; ++q) {
    for (std::int64_t p = 0; p < along_x.count; ++p) {
      const Indices b_part = start.held(state.b.rows, rank_of(along_x, p));
      for (const std::int32_t k : start.held(state.a.columns, rank_of(along_y, q))) {
        if (std::find(b_part.begin(), b_part.end(), k) != b_part.end()) order.push_back(k);
      }
    }
  }
  return order;
}

float as_float(const ProductCase& subject, Bits bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  return std::bit_cast<float>(subject.dtypes.in == Dtype::bf16 ? word << 16 : word);
}

/// One element's sum in f32: product rounded, then sum rounded.
float sum_of(const ProductCase& subject, std::int64_t row, std::int64_t column,
             const std::vector<std::int64_t>& order) {
  float sum = 0;
  for (const std::int64_t k : order) {
    const volatile float product =
        as_float(subject, subject.data.given[0][static_cast<std::size_t>(row * subject.k + k)]) *
        as_float(subject, subject.data.given[1][static_cast<std::size_t>(k * subject.j + column)]);
    sum = sum + product;
  }
  return sum;
}

/// By rank and coordinate.
using Sums = std::vector<std::map<std::int64_t, float>>;

Sums partials_of(const Start& start) {
  const ProductCase& subject = start.situation.subject;
  Sums partials(static_cast<std::size_t>(start.ranks()));
  const bool is_scattered = start.step.kind == Step::Kind::local_scatter;
  const TensorState c =
      is_scattered ? TensorState{start.before.a.rows, start.before.b.columns} : start.after.c;
  for (std::int64_t rank = 0; rank < start.ranks(); ++rank) {
    const std::vector<std::int64_t> order = order_of(start, rank);
    for (const std::int32_t row : start.held(c.rows, rank)) {
      for (const std::int32_t column : start.held(c.columns, rank)) {
        partials[static_cast<std::size_t>(rank)][row * subject.j + column] =
            sum_of(subject, row, column, order);
      }
    }
  }
  return partials;
}

/// What a rank has after a local_scatter: the fold x_{b+1}, x_{b+2}, …, x_b. Wire is f32.
float ring_fold(const Start& start, const Sums& partials, std::int64_t rank,
                std::int64_t coordinate) {
  const Group ring = start.group(start.step.mesh_axis, rank);
  std::optional<float> sum;
  for (std::int64_t on = 1; on <= ring.count; ++on) {
    const std::int64_t other = rank_of(ring, (ring.self + on) % ring.count);
    const float partial = partials[static_cast<std::size_t>(other)].at(coordinate);
    sum = sum ? *sum + partial : partial;
  }
  return *sum;
}

/// By coordinate, after the schedule; replicas must agree.
std::map<std::int64_t, float> sums_after(const Start& start, const Sums& partials) {
  std::map<std::int64_t, float> sums;
  const ProductCase& subject = start.situation.subject;
  for (std::int64_t rank = 0; rank < start.ranks(); ++rank) {
    for (const std::int32_t row : start.held(start.after.c.rows, rank)) {
      for (const std::int32_t column : start.held(start.after.c.columns, rank)) {
        const std::int64_t at = row * subject.j + column;
        const float sum = start.step.kind == Step::Kind::local_scatter
                              ? ring_fold(start, partials, rank, at)
                              : partials[static_cast<std::size_t>(rank)].at(at);
        const auto [known, is_new] = sums.try_emplace(at, sum);
        EXPECT_EQ(known->second, sum) << "replicas by definition";
      }
    }
  }
  return sums;
}

void expect_products(const CaseRun& run, const Start& start, const Sums& partials) {
  ASSERT_EQ(run.seen.products->size(), partials.size());
  for (const LocalProduct& product : *run.seen.products) {
    const auto& expected = partials[static_cast<std::size_t>(product.rank)];
    ASSERT_EQ(product.a_columns, order_of(start, product.rank)) << "rank " << product.rank;
    ASSERT_EQ(product.b_rows, product.a_columns);
    ASSERT_EQ(product.coordinates.size(), expected.size());
    for (std::size_t at = 0; at < product.coordinates.size(); ++at) {
      const auto found = expected.find(product.coordinates[at]);
      ASSERT_NE(found, expected.end());
      ASSERT_EQ(product.partial[at], std::bit_cast<std::uint32_t>(found->second))
          << "rank " << product.rank << ", element " << product.coordinates[at];
    }
  }
}

TEST(Schedules, AddInTheOrderOfTheirDefinition) {
  Draw draw(3);
  for (int n = 0; n < 2000; ++n) {
    ProductCase subject = draw_schedule_case(draw, schedules[static_cast<std::size_t>(n) % 4]);
    if (draw.one_in(3)) subject.dtypes.in = Dtype::bf16;
    draw_data(draw, subject);
    SCOPED_TRACE(print(subject));
    const CaseRun run = run_case(subject, true);
    ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
    ASSERT_TRUE(run.seen.left_over->empty());
    const Start start(subject);
    const Sums partials = partials_of(start);
    ASSERT_NO_FATAL_FAILURE(expect_products(run, start, partials));
    if (start.after.partial_over != 0) continue;
    const auto sums = sums_after(start, partials);
    for (std::size_t rank = 0; rank < run.results.size(); ++rank) {
      for (std::size_t at = 0; at < run.results[rank].size(); ++at) {
        ASSERT_EQ(run.results[rank][at],
                  std::bit_cast<std::uint32_t>(sums.at(run.seen.owned[rank][at])))
            << "rank " << rank << ", element " << run.seen.owned[rank][at];
      }
    }
    ASSERT_FALSE(HasFailure());
  }
}

/// Bytes by source and destination.
using Pairs = std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>;

std::int64_t elements(const Start& start, const TensorState& tensor, std::int64_t rank) {
  return static_cast<std::int64_t>(start.held(tensor.rows, rank).size() *
                                   start.held(tensor.columns, rank).size());
}

/// To the next member all blocks but the one that `spared` says.
void add_ring(const Start& start, const TensorState& blocks, std::int64_t rank, std::int64_t spared,
              std::int64_t width, Pairs& sent) {
  const Group ring = start.group(start.step.mesh_axis, rank);
  const std::int64_t next = (ring.self + 1) % ring.count;
  for (std::int64_t member = 0; ring.count > 1 && member < ring.count; ++member) {
    if (member == (ring.self + spared) % ring.count) continue;
    sent[{rank, rank_of(ring, next)}] += elements(start, blocks, rank_of(ring, member)) * width;
  }
}

/// What a rank sends of one operand of a Cannon product, at the skew and in p - 1 shifts.
void add_cannon(const Start& start, const TensorState& operand, int along, int across,
                std::int64_t rank, std::int64_t width, Pairs& sent) {
  const Group group = start.group(along, rank);
  const std::int64_t p = group.count;
  const std::int64_t skew = start.group(across, rank).self;
  if (skew != 0) {
    const std::int64_t peer = rank_of(group, (group.self - skew + p) % p);
    sent[{rank, peer}] += elements(start, operand, rank) * width;
  }
  for (std::int64_t round = 0; round + 1 < p; ++round) {
    const std::int64_t origin = rank_of(group, (group.self + skew + round) % p);
    sent[{rank, rank_of(group, (group.self - 1 + p) % p)}] +=
        elements(start, operand, origin) * width;
  }
}

Pairs sent_by_definition(const Start& start) {
  const DtypeCombination& dtypes = start.situation.subject.dtypes;
  const std::int64_t in = info(dtypes.in).bytes;
  const int x = start.step.mesh_axis;
  const int y = start.step.column_axis;
  Pairs sent;
  for (std::int64_t rank = 0; rank < start.ranks(); ++rank) {
    const PlanState& state = start.before;
    switch (start.step.kind) {
      case Step::Kind::gather_local:
        add_ring(start, tensor_of(state, start.step.tensor), rank, 1, in, sent);
        break;
      case Step::Kind::local_scatter:
        add_ring(start, start.after.c, rank, 0, info(dtypes.wire).bytes, sent);
        break;
      case Step::Kind::cannon:
        add_cannon(start, state.a, y, x, rank, in, sent);
        add_cannon(start, state.b, x, y, rank, in, sent);
        break;
      default:
        for (const auto& [axis, operand] : {std::pair{y, state.a}, {x, state.b}}) {
          const Group group = start.group(axis, rank);
          for (std::int64_t member = 0; member < group.count; ++member) {
            if (member == group.self) continue;
            sent[{rank, rank_of(group, member)}] += elements(start, operand, rank) * in;
          }
        }
    }
  }
  std::erase_if(sent, [](const auto& pair) { return pair.second == 0; });
  return sent;
}

/// The bound of docs/plans.md, "Temporaries".
std::int64_t temporary_bound(const CaseRun& run, const ProductCase& plain, std::int64_t rank) {
  const DtypeCombination& dtypes = run.subject.dtypes;
  const std::int64_t width = std::max(
      {std::int64_t{4}, std::int64_t{info(dtypes.in).bytes}, std::int64_t{info(dtypes.acc).bytes},
       std::int64_t{info(dtypes.wire).bytes}, std::int64_t{info(dtypes.out).bytes}});
  Situation situation(plain);
  PlanState state = situation.start;
  std::int64_t held = 0;
  const auto count = [&](const TensorState& tensor, bool padded) {
    const auto columns =
        static_cast<std::int64_t>(situation.pool.held(tensor.columns, rank).size());
    return static_cast<std::int64_t>(situation.pool.held(tensor.rows, rank).size()) *
           (padded ? (columns + 15) / 16 * 16 : columns);
  };
  for (const Step& step : *plain.plan) {
    const PlanState next = *after(situation, state, compact(step));
    held += step.kind == Step::Kind::local
                ? count(state.a, false) + count(state.b, true) + count(next.c, false)
                : count(tensor_of(state, step.tensor), false) +
                      count(tensor_of(next, step.tensor), false);
    state = next;
  }
  return 3 * width * held + run.sent()[static_cast<std::size_t>(rank)];
}

void expect_ledger_and_peak(const CaseRun& run, const ProductCase& plain) {
  Pairs sent;
  for (const Transfer& transfer : run.seen.ledger->sent) {
    if (transfer.phase != 0 || transfer.bytes == 0) continue;
    sent[{transfer.source, transfer.destination}] += transfer.bytes;
  }
  const Start start(run.subject);
  ASSERT_EQ(sent, sent_by_definition(start));
  std::int64_t total = 0;
  for (const auto& [pair, bytes] : sent) total += bytes;
  ASSERT_EQ(bytes_sent(start.situation, compact(start.step), start.before, start.after), total);
  for (std::size_t rank = 0; rank < run.results.size(); ++rank) {
    ASSERT_LE((*run.seen.temporary_bytes)[rank],
              temporary_bound(run, plain, static_cast<std::int64_t>(rank)));
  }
}

TEST(Schedules, DoWhatTheirPlainStepsDo) {
  Draw draw(5);
  const std::vector<DtypeCombination>& combinations = legal_combinations();
  for (int n = 0; n < 3000; ++n) {
    ProductCase subject = draw_schedule_case(draw, schedules[static_cast<std::size_t>(n) % 4]);
    do {
      subject.dtypes = combinations[static_cast<std::size_t>(
          draw.below(static_cast<std::int64_t>(combinations.size())))];
      // Where the order of k differs from that of the plain steps, only integers agree.
    } while (info(subject.dtypes.in).is_float &&
             (subject.plan->front().column_axis >= 0 || rings_over_k(Start(subject))));
    if (draw.one_in(3)) subject.fma = Fma::yes;
    draw_data(draw, subject);
    SCOPED_TRACE(print(subject));
    const CaseRun run = run_case(subject);
    ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
    ASSERT_TRUE(run.seen.left_over->empty());
    const ProductCase plain = spelled_out(subject);
    const CaseRun plain_run = run_case(plain);
    ASSERT_EQ(plain_run.seen.ending, Ending::finished) << plain_run.seen.cause;
    ASSERT_EQ(run.results, plain_run.results);
    ASSERT_NO_FATAL_FAILURE(expect_ledger_and_peak(run, plain));
  }
}

TEST(Schedules, GiveTheSameBitsUnderEveryScheduler) {
  Draw draw(9);
  for (int n = 0; n < 80; ++n) {
    ProductCase subject = draw_schedule_case(draw, schedules[static_cast<std::size_t>(n) % 4]);
    draw_data(draw, subject);
    SCOPED_TRACE(print(subject));
    const CaseRun first = run_case(subject);
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      subject.run.seed = seed;
      const CaseRun run = run_case(subject);
      ASSERT_EQ(run.seen.ending, Ending::finished) << run.seen.cause;
      ASSERT_EQ(run.results, first.results);
      ASSERT_EQ(*run.seen.ledger, *first.seen.ledger);
    }
  }
}

}  // namespace
}  // namespace shardcheck::impl
