#include "calls_fields.h"

#include <algorithm>

#include <fmt/core.h>

namespace shardcheck {
namespace {

/// The word at the front of `rest`, which is left behind it; empty at the end.
Word next_word(Word& rest) {
  rest = part(rest, std::min(rest.text.find_first_not_of(" \t"), rest.text.size()));
  const Word word = part(rest, 0, rest.text.find_first_of(" \t"));
  rest = part(rest, word.text.size());
  return word;
}

std::string_view nearest_collective_key(std::string_view name) {
  std::array<std::string_view, collective_keys.size()> names;
  std::transform(collective_keys.begin(), collective_keys.end(), names.begin(),
                 [](const CollectiveKeyInfo& entry) { return entry.name; });
  return nearest(name, names);
}

Failure take(CollectiveFields& fields, Word word) {
  const std::size_t at = word.text.find('=');
  if (at == std::string_view::npos) return unexpected(word, "key=value");
  const std::string_view given = word.text.substr(0, at);
  const auto* entry = std::find_if(collective_keys.begin(), collective_keys.end(),
                                   [&](const CollectiveKeyInfo& key) { return key.name == given; });
  if (entry == collective_keys.end() && key_named(given)) {
    return unexpected(word, fmt::format("a key of collectives; {}= is one of products", given));
  }
  if (entry == collective_keys.end()) {
    return unexpected(word, fmt::format("a key, as {}=", nearest_collective_key(given)));
  }
  CollectiveFields::Field& field = fields.by_key[static_cast<std::size_t>(entry->key)];
  if (field.is_given) return unexpected(word, fmt::format("{}= once", given));
  field = {true, part(word, at + 1)};
  return std::nullopt;
}

}  // namespace

bool is_calls_key(std::string_view name) {
  return std::any_of(collective_keys.begin(), collective_keys.end(),
                     [name](const CollectiveKeyInfo& key) { return key.name == name; });
}

tl::expected<CollectiveFields, ParseError> parse_collective_fields(Word line) {
  CollectiveFields fields;
  fields.end = part(line, line.text.size());
  next_word(line);
  for (Word word = next_word(line); !word.text.empty(); word = next_word(line)) {
    if (Failure failed = take(fields, word)) return tl::unexpected<ParseError>(*failed);
  }
  for (CollectiveFields::Field& field : fields.by_key) {
    if (!field.is_given) field.value = fields.end;
  }
  return fields;
}

}  // namespace shardcheck
