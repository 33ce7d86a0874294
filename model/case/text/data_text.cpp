#include "data_text.h"

#include <algorithm>

#include <fmt/core.h>

#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>

namespace shardcheck {
namespace {

/// The word up to the first colon; `rest`, if any, is what stands behind it.
Word head_of(Word word, std::optional<Word>& rest) {
  const std::size_t colon = word.text.find(':');
  if (colon != std::string_view::npos) rest = part(word, colon + 1);
  return part(word, 0, colon);
}

Failure parse_given(const Fields& fields, ProductCase& subject) {
  Data& data = subject.data;
  const bool is_given = data.regime == Data::Regime::given;
  for (const Key key : {Key::a, Key::b}) {
    const Field& field = fields[key];
    if (field.is_given && !is_given) {
      return unexpected(field.value, "data=given, or no values");
    }
    if (!field.is_given && is_given) {
      return unexpected(fields.end, fmt::format("{}= with {}", info(key).name, info(key).value));
    }
  }
  if (!is_given) return std::nullopt;
  const Dtype in = subject.dtypes.in;
  data.given.resize(2);
  Failure failed =
      parse_values(fields[Key::a].value, "A", subject.i * subject.k, in, data.given[0]);
  if (failed) return failed;
  return parse_values(fields[Key::b].value, "B", subject.k * subject.j, in, data.given[1]);
}

/// pct:DEPTH:SEED behind its first colon.
Failure parse_pct(Word word, Run& run) {
  std::optional<Word> seed_word;
  const Word depth_word = head_of(word, seed_word);
  const auto depth = parse_count(depth_word, limits::trace_choices);
  if (!depth) return depth.error();
  run.depth = *depth;
  if (!seed_word) return std::nullopt;
  const auto seed = parse_seed(*seed_word);
  if (!seed) return seed.error();
  run.seed = *seed;
  return std::nullopt;
}

Failure parse_trace(Word word, Run& run) {
  if (word.text.empty()) return std::nullopt;
  Word piece;
  for (Pieces pieces(word, ','); pieces.next(piece);) {
    if (static_cast<std::int64_t>(run.trace.size()) == limits::trace_choices) {
      return unexpected(piece, fmt::format("at most {} choices", limits::trace_choices));
    }
    const auto choice = parse_count(piece, limits::trace_choices);
    if (!choice) return choice.error();
    run.trace.push_back(*choice);
  }
  return std::nullopt;
}

}  // namespace

Failure parse_values(Word word, std::string_view tensor, std::int64_t count, Dtype dtype,
                     std::vector<Bits>& values) {
  const std::string counted = fmt::format("{} values of {}", count, tensor);
  if (count == 0) {
    if (word.text.empty()) return std::nullopt;
    return unexpected(word, counted);
  }
  Word piece;
  for (Pieces pieces(word, ','); pieces.next(piece);) {
    if (static_cast<std::int64_t>(values.size()) == count) return unexpected(piece, counted);
    const std::optional<Bits> bits = parse_value(dtype, piece.text);
    if (!bits) {
      return unexpected(piece, fmt::format("a number that {} holds exactly", info(dtype).name));
    }
    values.push_back(*bits);
  }
  if (static_cast<std::int64_t>(values.size()) == count) return std::nullopt;
  return unexpected(part(word, word.text.size()),
                    fmt::format("{}, not {}", counted, values.size()));
}

Failure parse_regime(Word word, Data::Regime& regime, std::uint64_t& seed) {
  std::optional<Word> seed_word;
  const Word name = head_of(word, seed_word);
  const auto* found = std::find_if(regimes.begin(), regimes.end(), [&](const RegimeInfo& entry) {
    return entry.name == name.text;
  });
  if (found == regimes.end()) return unexpected(name, std::string(info(Key::data).value));
  regime = found->regime;
  if (!seed_word) return std::nullopt;
  if (regime == Data::Regime::given) {
    return unexpected(*seed_word, "given alone, without a seed");
  }
  const auto number = parse_seed(*seed_word);
  if (!number) return number.error();
  seed = *number;
  return std::nullopt;
}

Failure parse_data(const Fields& fields, ProductCase& subject) {
  const Field& field = fields[Key::data];
  if (field.is_given) {
    Data& data = subject.data;
    if (Failure failed = parse_regime(field.value, data.regime, data.seed)) return failed;
  }
  return parse_given(fields, subject);
}

Failure parse_run(Word word, Run& run) {
  std::optional<Word> rest;
  const Word kind = head_of(word, rest);
  if (kind.text == "threads" && !rest) {
    run.kind = Run::Kind::threads;
    return std::nullopt;
  }
  if (kind.text == "fibers") {
    run.kind = Run::Kind::fibers;
    if (!rest) return std::nullopt;
    const auto seed = parse_seed(*rest);
    if (!seed) return seed.error();
    run.seed = *seed;
    return std::nullopt;
  }
  if (kind.text == "pct" && rest) {
    run.kind = Run::Kind::pct;
    return parse_pct(*rest, run);
  }
  if (kind.text == "trace" && rest) {
    run.kind = Run::Kind::trace;
    return parse_trace(*rest, run);
  }
  return unexpected(word, std::string(info(Key::run).value));
}

std::string print_values(Dtype dtype, const std::vector<Bits>& values) {
  std::string text;
  for (std::size_t at = 0; at < values.size(); ++at) {
    if (at > 0) text += ',';
    text += print_value(dtype, values[at]);
  }
  return text;
}

std::string print_data(const ProductCase& subject) {
  const Data& data = subject.data;
  if (data == Data{}) return {};
  std::string text = " data=";
  text += regimes[static_cast<std::size_t>(data.regime)].name;
  if (data.regime != Data::Regime::given) return text + fmt::format(":{}", data.seed);
  for (const Key key : {Key::a, Key::b}) {
    text += fmt::format(" {}={}", info(key).name,
                        print_values(subject.dtypes.in, data.given[key == Key::a ? 0 : 1]));
  }
  return text;
}

std::string print_run(const Run& run) {
  switch (run.kind) {
    case Run::Kind::fibers: return run.seed == 0 ? "" : fmt::format(" run=fibers:{}", run.seed);
    case Run::Kind::pct: return fmt::format(" run=pct:{}:{}", run.depth, run.seed);
    case Run::Kind::threads: return " run=threads";
    case Run::Kind::trace: break;
  }
  std::string text = " run=trace:";
  for (std::size_t at = 0; at < run.trace.size(); ++at) {
    text += fmt::format("{}{}", at > 0 ? "," : "", run.trace[at]);
  }
  return text;
}

}  // namespace shardcheck
