#include "split_text.h"

#include <fmt/core.h>

#include <shardcheck/model/case/limits.h>

namespace shardcheck {
namespace {

/// An axis, its two tensors in the order A, B, C, and their keys.
struct SplitKeys {
  Axis axis = Axis::i;
  Key all = Key::split_i;
  std::array<Tensor, 2> tensors{};
  std::array<Key, 2> alone{};
};

constexpr std::array<SplitKeys, 3> split_keys{{
    {Axis::i, Key::split_i, {Tensor::a, Tensor::c}, {Key::split_a_i, Key::split_c_i}},
    {Axis::j, Key::split_j, {Tensor::b, Tensor::c}, {Key::split_b_j, Key::split_c_j}},
    {Axis::k, Key::split_k, {Tensor::a, Tensor::b}, {Key::split_a_k, Key::split_b_k}},
}};

Cut& cut_in(ProductCase& subject, Tensor tensor, Axis axis) {
  Layout& of = tensor == Tensor::a ? subject.a : tensor == Tensor::b ? subject.b : subject.c;
  return axes_of(tensor)[0] == axis ? of.rows : of.columns;
}

std::int64_t part_count(const Mesh& mesh, const Cut& cut) {
  std::int64_t count = 1;
  for (const int axis : cut.over) count *= mesh.axes[static_cast<std::size_t>(axis)].size;
  return count;
}

tl::expected<Split, ParseError> parse_sizes(Word word, std::int64_t extent) {
  Split split;
  split.rule = Split::Rule::sizes;
  std::int64_t sum = 0;
  Word piece;
  for (Pieces pieces(word, ','); pieces.next(piece);) {
    const auto size = parse_count(piece, extent - sum);
    if (!size) return failure(piece, fmt::format("sizes that sum to {}", extent));
    if (static_cast<std::int64_t>(split.sizes.size()) == limits::ranks) {
      return failure(piece, fmt::format("at most {} parts", limits::ranks));
    }
    split.sizes.push_back(*size);
    sum += *size;
  }
  if (sum != extent) return failure(word, fmt::format("sizes that sum to {}", extent));
  return split;
}

/// One part of `sets:`, marked in `is_taken`.
Failure parse_set(Word word, std::vector<bool>& is_taken, std::vector<std::int64_t>& set) {
  if (word.text.empty()) return std::nullopt;
  const auto extent = static_cast<std::int64_t>(is_taken.size());
  Word piece;
  for (Pieces pieces(word, ','); pieces.next(piece);) {
    if (extent == 0) return unexpected(piece, "no index: the axis has size 0");
    const auto index = parse_count(piece, extent - 1);
    if (!index) return index.error();
    if (is_taken[static_cast<std::size_t>(*index)]) {
      return unexpected(piece, "sets that don't overlap");
    }
    is_taken[static_cast<std::size_t>(*index)] = true;
    set.push_back(*index);
  }
  return std::nullopt;
}

tl::expected<Split, ParseError> parse_sets(Word word, std::int64_t extent) {
  Split split;
  split.rule = Split::Rule::sets;
  std::vector<bool> is_taken(static_cast<std::size_t>(extent));
  Word piece;
  for (Pieces pieces(word, '|'); pieces.next(piece);) {
    if (static_cast<std::int64_t>(split.sets.size()) == limits::ranks) {
      return failure(piece, fmt::format("at most {} parts", limits::ranks));
    }
    Failure failed = parse_set(piece, is_taken, split.sets.emplace_back());
    if (failed) return tl::unexpected<ParseError>(*failed);
  }
  for (std::size_t index = 0; index < is_taken.size(); ++index) {
    if (!is_taken[index]) {
      return failure(word, fmt::format("sets without a hole: index {} is in none", index));
    }
  }
  return split;
}

/// Gives `split` to one divided axis, if it has as many parts.
Failure apply(const Split& split, Word word, const Mesh& mesh, Tensor tensor, Axis axis, Cut& cut) {
  std::int64_t named = part_count(mesh, cut);
  const std::int64_t needed = named;
  if (split.rule == Split::Rule::sizes) named = static_cast<std::int64_t>(split.sizes.size());
  if (split.rule == Split::Rule::sets) named = static_cast<std::int64_t>(split.sets.size());
  if (named != needed) {
    return unexpected(word, fmt::format("{} parts, as many as {} of {} is cut into", needed,
                                        name(axis), name(tensor)));
  }
  cut.split = split;
  return std::nullopt;
}

Failure parse_axis_splits(const Fields& fields, const SplitKeys& of, ProductCase& subject) {
  const std::int64_t size = extent(subject, of.axis);
  const Field& all = fields[of.all];
  std::optional<Split> of_all;
  if (all.is_given) {
    auto split = parse_split(all.value, size);
    if (!split) return split.error();
    of_all = *std::move(split);
  }
  bool is_divided = false;
  for (std::size_t t = 0; t < of.tensors.size(); ++t) {
    const Tensor tensor = of.tensors[t];
    Cut& cut = cut_in(subject, tensor, of.axis);
    const Field& alone = fields[of.alone[t]];
    is_divided = is_divided || !cut.over.empty();
    Failure failed;
    if (alone.is_given) {
      if (cut.over.empty()) {
        return unexpected(alone.value, fmt::format("a layout that divides {} of {}", name(of.axis),
                                                   name(tensor)));
      }
      const auto split = parse_split(alone.value, size);
      if (!split) return split.error();
      failed = apply(*split, alone.value, subject.mesh, tensor, of.axis, cut);
    } else if (of_all && !cut.over.empty()) {
      failed = apply(*of_all, all.value, subject.mesh, tensor, of.axis, cut);
    }
    if (failed) return failed;
  }
  if (of_all && !is_divided) {
    return unexpected(all.value, fmt::format("a layout that divides {}", name(of.axis)));
  }
  return std::nullopt;
}

void append_list(std::string& text, const std::vector<std::int64_t>& numbers) {
  for (std::size_t at = 0; at < numbers.size(); ++at) {
    if (at > 0) text += ',';
    text += std::to_string(numbers[at]);
  }
}

}  // namespace

tl::expected<Split, ParseError> parse_split(Word word, std::int64_t extent) {
  Split split;
  if (word.text == "balanced") return split;
  if (word.text == "ceil") {
    split.rule = Split::Rule::ceil;
    return split;
  }
  const std::size_t colon = word.text.find(':');
  const std::string_view rule = word.text.substr(0, colon);
  if (colon == std::string_view::npos || (rule != "sizes" && rule != "cyclic" && rule != "sets")) {
    return failure(word, std::string(split_form));
  }
  const Word value = part(word, colon + 1);
  if (rule == "sizes") return parse_sizes(value, extent);
  if (rule == "sets") return parse_sets(value, extent);
  const auto block = parse_count(value, limits::elements_per_tensor);
  if (!block || *block == 0) {
    return failure(value, fmt::format("a block from 1 to {}", limits::elements_per_tensor));
  }
  split.rule = Split::Rule::cyclic;
  split.block = *block;
  return split;
}

std::string print_split(const Split& split) {
  switch (split.rule) {
    case Split::Rule::balanced: return "balanced";
    case Split::Rule::ceil: return "ceil";
    case Split::Rule::cyclic: return fmt::format("cyclic:{}", split.block);
    case Split::Rule::sizes: {
      std::string text = "sizes:";
      append_list(text, split.sizes);
      return text;
    }
    case Split::Rule::sets: {
      std::string text = "sets:";
      for (std::size_t at = 0; at < split.sets.size(); ++at) {
        if (at > 0) text += '|';
        append_list(text, split.sets[at]);
      }
      return text;
    }
  }
  return {};
}

Failure parse_splits(const Fields& fields, ProductCase& subject) {
  for (const SplitKeys& of : split_keys) {
    if (Failure failed = parse_axis_splits(fields, of, subject)) return failed;
  }
  return std::nullopt;
}

std::string print_splits(const ProductCase& subject) {
  std::string text;
  for (const SplitKeys& of : split_keys) {
    const Split* first = nullptr;
    for (std::size_t t = 0; t < of.tensors.size(); ++t) {
      const Cut& cut = cut_of(layout(subject, of.tensors[t]), of.tensors[t], of.axis);
      if (cut.over.empty()) continue;
      const Split balanced;
      const Key key = first == nullptr ? of.all : of.alone[t];
      if (cut.split != (first == nullptr ? balanced : *first)) {
        text += fmt::format(" {}={}", info(key).name, print_split(cut.split));
      }
      if (first == nullptr) first = &cut.split;
    }
  }
  return text;
}

}  // namespace shardcheck
