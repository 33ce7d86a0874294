#pragma once

/// The distinct values among many: what a set of possible sums is built with. Most sums of one
/// element lie a few steps apart, so that a bit map around the first of them holds nearly all.
///
///     DistinctValues distinct(arithmetic);
///     distinct.add(x); distinct.add(y); distinct.take()   // ascending, −0 before +0, NaN last

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include <shardcheck/model/exact/accumulator.h>

namespace shardcheck::model {

/// One thread. `Arithmetic`: a float accumulator (exact/accumulator.h).
template <class Arithmetic>
class DistinctValues {
 public:
  using Value = typename Arithmetic::Value;

  explicit DistinctValues(const Arithmetic& arithmetic) : arithmetic_(arithmetic) {}

  void add(Value value) {
    if (value != value) {
      has_nan_ = true;
      return;
    }
    const std::uint64_t place = place_of(value);
    if (!has_window_) {
      has_window_ = true;
      first_ = place - std::min(place, window_places / 2);
    }
    const std::uint64_t offset = place - first_;
    if (offset < window_places) {
      window_[offset / 64] |= std::uint64_t{1} << offset % 64;
      return;
    }
    // Most of what is far comes again soon.
    std::uint64_t& recent = recent_[(place * 0x9e3779b97f4a7c15ULL) >> (64 - recent_bits)];
    if (recent == place) return;
    recent = place;
    far_.push_back(place);
    if (far_.size() >= far_max_) drop_repeats();
  }

  /// All of them; none are left.
  std::vector<Value> take() {
    drop_repeats();
    std::vector<Value> values;
    const auto above = std::lower_bound(far_.begin(), far_.end(), first_);
    for (auto place = far_.begin(); place != above; ++place) values.push_back(at(*place));
    for (std::size_t word = 0; word < window_.size(); ++word) {
      for (std::uint64_t left = window_[word]; left != 0; left &= left - 1) {
        const auto bit = static_cast<std::uint64_t>(std::countr_zero(left));
        values.push_back(at(first_ + 64 * word + bit));
      }
    }
    for (auto place = above; place != far_.end(); ++place) values.push_back(at(*place));
    if (has_nan_) values.push_back(std::numeric_limits<Value>::quiet_NaN());
    window_ = {};
    if (!far_.empty()) recent_ = {};
    far_.clear();
    far_max_ = far_before_repeats;
    has_window_ = false;
    has_nan_ = false;
    return values;
  }

 private:
  static constexpr std::uint64_t window_places = 1024;
  static constexpr std::size_t far_before_repeats = 8192;
  static constexpr int recent_bits = 11;

  /// Ascends with the value, by 1 from one to the next, as order_of (exact/format.h) does.
  std::uint64_t place_of(Value value) const {
    const Bits bits = arithmetic_.to_acc(value);
    const Bits sign = arithmetic_.sign_bit();
    return (bits & sign) != 0 ? sign - 1 - (bits & (sign - 1)) : sign + bits;
  }

  Value at(std::uint64_t place) const {
    const Bits sign = arithmetic_.sign_bit();
    return arithmetic_.from_acc(place >= sign ? place - sign : sign | (sign - 1 - place));
  }

  void drop_repeats() {
    std::sort(far_.begin(), far_.end());
    far_.erase(std::unique(far_.begin(), far_.end()), far_.end());
    far_max_ = std::max(far_before_repeats, 2 * far_.size());
  }

  const Arithmetic& arithmetic_;
  std::array<std::uint64_t, window_places / 64> window_{};
  std::uint64_t first_ = 0;         ///< the place of the window's first bit
  std::vector<std::uint64_t> far_;  ///< places outside the window
  std::array<std::uint64_t, std::size_t{1} << recent_bits> recent_{};  ///< some of `far_`; never 0
  std::size_t far_max_ = far_before_repeats;
  bool has_window_ = false;
  bool has_nan_ = false;
};

}  // namespace shardcheck::model
