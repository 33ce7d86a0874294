#include "replay.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <shardcheck/model/exact/accumulator.h>
#include <shardcheck/model/exact/fixed_sum.h>
#include <shardcheck/model/order/exact_sums.h>
#include "k_parts.h"
#include "replay_operands.h"

namespace shardcheck::model {
namespace {

constexpr std::int64_t lanes = replay_lanes;

template <class Arithmetic, bool fuses>
class TypedReplay final : public Replay {
 public:
  using Value = typename Arithmetic::Value;

  TypedReplay(const ProductCase& subject, const ResolvedPlan& plan, const Reduction& reduction)
      : arithmetic_(subject.dtypes),
        reduction_(reduction),
        parts_(subject, plan, reduction),
        k_count_(subject.k),
        j_count_(subject.j),
        operands_(subject, arithmetic_, parts_.ks) {
    if constexpr (Arithmetic::is_float) {
      limits_ = exact_limits(subject.dtypes, reduction.uses_wire);
    }
  }

  void row(std::int64_t i, std::span<Bits> results,
           std::span<std::uint8_t> is_exact) const override {
    const std::int64_t part_count = reduction_.part_count;
    std::vector<Value> partials(static_cast<std::size_t>(lanes * part_count));
    for (std::int64_t j = 0; j < j_count_; j += lanes) {
      const std::int64_t width = std::min(lanes, j_count_ - j);
      for (std::int64_t part = 0; part < part_count; ++part) {
        const std::array<Value, lanes> sums = tile_in_its_orders(i, j, width, part);
        for (std::int64_t lane = 0; lane < width; ++lane) {
          partials[static_cast<std::size_t>(lane * part_count + part)] =
              sums[static_cast<std::size_t>(lane)];
        }
      }
      mark_exact(i, j,
                 is_exact.subspan(static_cast<std::size_t>(j), static_cast<std::size_t>(width)));
      for (std::int64_t lane = 0; lane < width; ++lane) {
        const std::span<Value> own(&partials[static_cast<std::size_t>(lane * part_count)],
                                   static_cast<std::size_t>(part_count));
        reduce(arithmetic_, reduction_, i, j + lane, own);
        for (std::int64_t r = 0; r < reduction_.result_count; ++r) {
          results[static_cast<std::size_t>((j + lane) * reduction_.result_count + r)] =
              arithmetic_.to_out(own[static_cast<std::size_t>(r)]);
        }
      }
    }
  }

  Bits result(std::int64_t i, std::int64_t j, std::int64_t result_index,
              const Change& change) const override {
    constexpr std::size_t few = 32;
    std::array<Value, few> on_stack;
    std::vector<Value> on_heap;
    const auto count = static_cast<std::size_t>(reduction_.part_count);
    if (count > few) on_heap.resize(count);
    const std::span<Value> partials(count > few ? on_heap.data() : on_stack.data(), count);
    for (std::size_t part = 0; part < count; ++part) {
      partials[part] = local_sum(i, j, static_cast<std::int64_t>(part), change);
    }
    reduce(arithmetic_, reduction_, i, j, partials);
    return arithmetic_.to_out(partials[static_cast<std::size_t>(result_index)]);
  }

  Bits partial(std::int64_t i, std::int64_t j, std::int64_t part,
               const Change& change) const override {
    return arithmetic_.to_acc(local_sum(i, j, part, change));
  }

  std::vector<Term> part_terms(std::int64_t i, std::int64_t j, std::int64_t part,
                               const Change& change) const override {
    std::vector<Term> result;
    if (change.kind == Change::Kind::drop_part && change.index == part) return result;
    for_each_pair(i, j, part, change, [&](std::int64_t a, std::int64_t b) {
      result.push_back(
          {static_cast<double>(operands_.a(i, a)), static_cast<double>(operands_.b(b, j))});
    });
    return result;
  }

  std::vector<Term> terms(std::int64_t i, std::int64_t j, std::int64_t result_index,
                          const Change& change) const override {
    std::vector<Term> result;
    for (std::int64_t part = 0; part < reduction_.part_count; ++part) {
      if (result_of(part) != result_index) continue;
      const std::vector<Term> own = part_terms(i, j, part, change);
      result.insert(result.end(), own.begin(), own.end());
      const bool is_double = change.kind == Change::Kind::double_part && change.index == part;
      if (is_double) result.insert(result.end(), own.begin(), own.end());
    }
    return result;
  }

  std::vector<std::int64_t> parts_of(std::int64_t result_index) const override {
    std::vector<std::int64_t> parts;
    for (std::int64_t part = 0; part < reduction_.part_count; ++part) {
      if (result_of(part) == result_index) parts.push_back(part);
    }
    return parts;
  }

  TermSum sum(std::int64_t i, std::int64_t j, std::int64_t result_index,
              const Change& change) const override {
    const std::int64_t bits = operands_.fixed_bits(i, j);
    if (bits <= 62) return exact(i, j, fixed_sum<std::int64_t>(i, j, result_index, change));
    if (bits <= 126) return exact(i, j, fixed_sum<Int128>(i, j, result_index, change));
    return sum_of(terms(i, j, result_index, change));
  }

  bool is_sum(std::int64_t i, std::int64_t j, std::int64_t result_index,
              double value) const override {
    const std::int64_t bits = operands_.fixed_bits(i, j);
    if (bits <= 62) {
      return is_equal(fixed_sum<std::int64_t>(i, j, result_index, {}).sum, operands_.grid(i, j),
                      value);
    }
    if (bits <= 126) {
      return is_equal(fixed_sum<Int128>(i, j, result_index, {}).sum, operands_.grid(i, j), value);
    }
    const TermSum exact_sum = sum_of(terms(i, j, result_index, {}));
    return exact_sum.is_finite() && exact_sum.finite.sum == Number::of_double(value);
  }

  bool concerns(const Change& change, std::int64_t result_index) const override {
    const auto of_k = [&](std::int64_t k) {
      return result_of(parts_.part_of_k[static_cast<std::size_t>(k)]) == result_index;
    };
    switch (change.kind) {
      case Change::Kind::none: return false;
      case Change::Kind::drop_k:
      case Change::Kind::double_k: return of_k(change.index);
      case Change::Kind::mispair_k: return of_k(change.index) || of_k(change.index + 1);
      case Change::Kind::drop_part:
      case Change::Kind::double_part: return result_of(change.index) == result_index;
    }
    return false;
  }

  std::int64_t longest_part() const override {
    std::int64_t longest = 0;
    for (std::size_t part = 1; part < parts_.begin.size(); ++part) {
      longest = std::max(longest, parts_.begin[part] - parts_.begin[part - 1]);
    }
    return longest;
  }

 private:
  template <class Integer>
  FixedSum<Integer> fixed_sum(std::int64_t i, std::int64_t j, std::int64_t result_index,
                              const Change& change) const {
    const double a_scale = power_of_two(static_cast<int>(-operands_.row_span(i).grid));
    const double b_scale = power_of_two(static_cast<int>(-operands_.column_span(j).grid));
    FixedSum<Integer> sum;
    for (std::int64_t part = 0; part < reduction_.part_count; ++part) {
      if (result_of(part) != result_index) continue;
      if (change.kind == Change::Kind::drop_part && change.index == part) continue;
      const bool is_double = change.kind == Change::Kind::double_part && change.index == part;
      for (int turn = 0; turn < (is_double ? 2 : 1); ++turn) {
        for_each_pair(i, j, part, change, [&](std::int64_t a, std::int64_t b) {
          sum.add(static_cast<std::int64_t>(static_cast<double>(operands_.a(i, a)) * a_scale),
                  static_cast<std::int64_t>(static_cast<double>(operands_.b(b, j)) * b_scale));
        });
      }
    }
    return sum;
  }

  template <class Integer>
  TermSum exact(std::int64_t i, std::int64_t j, const FixedSum<Integer>& sum) const {
    return {.finite = exact_dot({sum.sum, sum.magnitude, sum.bits}, operands_.grid(i, j))};
  }

  Value accumulate(Value sum, Value x, Value y) const {
    if constexpr (fuses) {
      return arithmetic_.fused(sum, x, y);
    } else {
      return arithmetic_.multiply_add(sum, x, y);
    }
  }

  void add_products(std::int64_t i, std::int64_t j, std::int64_t place,
                    std::array<Value, lanes>& sums) const {
    const Value a = operands_.a(i, place);
    const Value* b = operands_.b_lanes(place, j);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      sums[lane] = accumulate(sums[lane], a, b[lane]);
    }
  }

  std::array<Value, lanes> tile(std::int64_t i, std::int64_t j, std::int64_t part,
                                std::int64_t order) const {
    std::array<Value, lanes> sums{};
    const std::int64_t begin = parts_.begin[static_cast<std::size_t>(part)];
    const std::int64_t end = parts_.begin[static_cast<std::size_t>(part) + 1];
    // One place after the other, which needs no table and is what most plans do.
    if (parts_.order_count == 1) {
      for (std::int64_t place = begin; place < end; ++place) add_products(i, j, place, sums);
    } else {
      const std::int64_t* const places = places_of(order, part);
      for (std::int64_t position = begin; position < end; ++position) {
        add_products(i, j, places[position - begin], sums);
      }
    }
    return sums;
  }

  /// Columns of a tile may be added in different orders: in each of them the whole tile is.
  std::array<Value, lanes> tile_in_its_orders(std::int64_t i, std::int64_t j, std::int64_t width,
                                              std::int64_t part) const {
    std::int64_t order = parts_.order_of(i, j);
    std::array<Value, lanes> in_order = tile(i, j, part, order);
    if (parts_.order_count == 1) return in_order;
    std::array<Value, lanes> sums = in_order;
    for (std::int64_t lane = 1; lane < width; ++lane) {
      if (parts_.order_of(i, j + lane) != order) {
        order = parts_.order_of(i, j + lane);
        in_order = tile(i, j, part, order);
      }
      sums[static_cast<std::size_t>(lane)] = in_order[static_cast<std::size_t>(lane)];
    }
    return sums;
  }

  /// The places of a part, one a k, in one of its orders.
  const std::int64_t* places_of(std::int64_t order, std::int64_t part) const {
    return parts_.places.data() + order * k_count_ + parts_.begin[static_cast<std::size_t>(part)];
  }

  /// Σ|a·b| in double, compared with exact_sums.h. The comparison is exact although the sum may
  /// round: as long as no partial sum exceeds 2^(grid + 53) nothing rounds, rounding is monotone,
  /// and the limit is no larger than that. A NaN or an infinity compares as not exact.
  void mark_exact(std::int64_t i, std::int64_t j, std::span<std::uint8_t> is_exact) const {
    if constexpr (!Arithmetic::is_float) {
      std::fill(is_exact.begin(), is_exact.end(), std::uint8_t{1});
    } else {
      std::array<double, lanes> limit{};
      std::array<double, lanes> magnitude{};
      for (std::size_t lane = 0; lane < is_exact.size(); ++lane) {
        limit[lane] =
            largest_exact_sum(limits_, operands_.grid(i, j + static_cast<std::int64_t>(lane)));
      }
      for (std::int64_t place = 0; place < k_count_; ++place) {
        const double a = std::fabs(static_cast<double>(operands_.a(i, place)));
        const Value* b = operands_.b_lanes(place, j);
        bool is_any_left = false;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          magnitude[lane] += a * std::fabs(static_cast<double>(b[lane]));
          is_any_left = is_any_left || magnitude[lane] <= limit[lane];
        }
        if (!is_any_left) break;
      }
      for (std::size_t lane = 0; lane < is_exact.size(); ++lane) {
        is_exact[lane] = magnitude[lane] <= limit[lane] ? 1 : 0;
      }
    }
  }

  /// Calls visit(place of A's k, place of B's k) for each product of a part, in the order of (i,
  /// j).
  template <class Visit>
  void for_each_pair(std::int64_t i, std::int64_t j, std::int64_t part, const Change& change,
                     const Visit& visit) const {
    const auto index = static_cast<std::size_t>(part);
    const auto place_of = [&](std::int64_t k) {
      return parts_.place_of_k[static_cast<std::size_t>(k)];
    };
    const bool is_of_k = change.kind == Change::Kind::drop_k ||
                         change.kind == Change::Kind::double_k ||
                         change.kind == Change::Kind::mispair_k;
    const bool is_mispaired = change.kind == Change::Kind::mispair_k;
    const std::int64_t changed = is_of_k ? place_of(change.index) : -1;
    const std::int64_t partner = is_mispaired ? place_of(change.index + 1) : -1;
    const std::int64_t* const places = places_of(parts_.order_of(i, j), part);
    const std::int64_t count = parts_.begin[index + 1] - parts_.begin[index];
    for (std::int64_t at = 0; at < count; ++at) {
      const std::int64_t place = places[at];
      if (place == changed) {
        if (change.kind == Change::Kind::drop_k) continue;
        if (change.kind == Change::Kind::double_k) visit(place, place);
        visit(place, is_mispaired ? partner : place);
      } else {
        visit(place, place == partner ? changed : place);
      }
    }
  }

  Value local_sum(std::int64_t i, std::int64_t j, std::int64_t part, const Change& change) const {
    if (change.kind == Change::Kind::drop_part && change.index == part) return Value{0};
    Value sum{0};
    for_each_pair(i, j, part, change, [&](std::int64_t a, std::int64_t b) {
      sum = accumulate(sum, operands_.a(i, a), operands_.b(b, j));
    });
    const bool is_double = change.kind == Change::Kind::double_part && change.index == part;
    return is_double ? arithmetic_.add(sum, sum) : sum;
  }

  /// The result that a part goes into.
  std::int64_t result_of(std::int64_t part) const {
    const std::int64_t rank = reduction_.rank_of_part[static_cast<std::size_t>(part)];
    return reduction_.result_of_rank[static_cast<std::size_t>(rank)];
  }

  Arithmetic arithmetic_;
  const Reduction& reduction_;
  KParts parts_;
  std::int64_t k_count_;
  std::int64_t j_count_;
  ReplayOperands<Arithmetic> operands_;
  ExactLimits limits_;
};

template <class Arithmetic>
std::unique_ptr<Replay> make_typed(const ProductCase& subject, const ResolvedPlan& plan,
                                   const Reduction& reduction) {
  if (subject.fma == Fma::yes) {
    return std::make_unique<TypedReplay<Arithmetic, true>>(subject, plan, reduction);
  }
  return std::make_unique<TypedReplay<Arithmetic, false>>(subject, plan, reduction);
}

}  // namespace

std::unique_ptr<Replay> make_replay(const ProductCase& subject, const ResolvedPlan& plan,
                                    const Reduction& reduction) {
  const Dtype acc = subject.dtypes.acc;
  if (!info(acc).is_float) return make_typed<IntegerAccumulator>(subject, plan, reduction);
  if (acc == Dtype::f16) return make_typed<NarrowAccumulator<Dtype::f16>>(subject, plan, reduction);
  if (acc == Dtype::bf16) {
    return make_typed<NarrowAccumulator<Dtype::bf16>>(subject, plan, reduction);
  }
  if (acc == Dtype::f32) return make_typed<NativeAccumulator<float>>(subject, plan, reduction);
  return make_typed<NativeAccumulator<double>>(subject, plan, reduction);
}

}  // namespace shardcheck::model
