#include "fields.h"

#include <algorithm>

#include <fmt/core.h>

#include "calls_fields.h"

namespace shardcheck {
namespace {

constexpr std::string_view layouts_form = "layouts as A[i,k/x] B[k/x,j] -> C[i/x,j]";

std::optional<Tensor> tensor_of_layout(std::string_view text) {
  for (const Tensor tensor : {Tensor::a, Tensor::b, Tensor::c}) {
    if (text.size() >= 2 && text.substr(0, 1) == name(tensor) && text[1] == '[') return tensor;
  }
  return std::nullopt;
}

Failure take_layout(Fields& fields, Tensor tensor, Word word, bool is_after_arrow) {
  Field& field = fields.layouts[static_cast<std::size_t>(tensor)];
  if (field.is_given) return unexpected(word, fmt::format("one layout of {}", name(tensor)));
  if (is_after_arrow != (tensor == Tensor::c)) {
    return unexpected(word, tensor == Tensor::c ? "-> before C's layout" : "C's layout after ->");
  }
  field = {true, word};
  return std::nullopt;
}

Failure take_key(Fields& fields, Word word) {
  const std::size_t at = word.text.find('=');
  if (at == std::string_view::npos) {
    return unexpected(word, fmt::format("key=value, or {}", layouts_form));
  }
  const std::string_view given = word.text.substr(0, at);
  const std::optional<Key> key = key_named(given);
  if (!key && is_calls_key(given)) {
    return unexpected(word, fmt::format("a key of products; {}= is one of collectives", given));
  }
  if (!key) return unexpected(word, fmt::format("a key, as {}=", nearest_key(given)));
  Field& field = fields.by_key[static_cast<std::size_t>(*key)];
  if (field.is_given) return unexpected(word, fmt::format("{}= once", given));
  field = {true, part(word, at + 1)};
  return std::nullopt;
}

}  // namespace

tl::expected<Fields, ParseError> parse_fields(Word rest) {
  Fields fields;
  fields.end = part(rest, rest.text.size());
  bool is_after_arrow = false;
  while (true) {
    rest = part(rest, std::min(rest.text.find_first_not_of(" \t"), rest.text.size()));
    if (rest.text.empty()) break;
    const Word word = part(rest, 0, rest.text.find_first_of(" \t"));
    rest = part(rest, word.text.size());
    const bool is_arrow = word.text == "->";
    Failure failed;
    if (const std::optional<Tensor> tensor = tensor_of_layout(word.text)) {
      failed = take_layout(fields, *tensor, word, is_after_arrow);
    } else if (is_after_arrow) {
      failed = unexpected(word, "C's layout after ->");
    } else if (!is_arrow) {
      failed = take_key(fields, word);
    }
    if (failed) return tl::unexpected<ParseError>(*failed);
    is_after_arrow = is_arrow;
  }
  for (Field& field : fields.by_key) {
    if (!field.is_given) field.value = fields.end;
  }
  return fields;
}

tl::expected<Word, ParseError> required(const Fields& fields, Key key) {
  const Field& field = fields[key];
  if (!field.is_given) {
    return failure(fields.end, fmt::format("{}= with {}", info(key).name, info(key).value));
  }
  return field.value;
}

tl::expected<Word, ParseError> required(const Fields& fields, Tensor tensor) {
  const Field& field = fields[tensor];
  if (!field.is_given) {
    return failure(fields.end, fmt::format("the layout of {}: {}", name(tensor), layouts_form));
  }
  return field.value;
}

}  // namespace shardcheck
