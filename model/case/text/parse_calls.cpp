#include <algorithm>
#include <numeric>

#include <fmt/core.h>

#include <shardcheck/model/case/calls_rules.h>
#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>
#include "algorithm_text.h"
#include "calls_fields.h"
#include "data_text.h"
#include "layout_text.h"
#include "split_text.h"

namespace shardcheck {
namespace {

using Fields = CollectiveFields;
using Key = CollectiveKey;

template <std::size_t Count>
std::string one_of(const std::array<std::string_view, Count>& names) {
  std::string text;
  for (const std::string_view entry : names)
    text += (text.empty() ? "" : ", ") + std::string(entry);
  return text;
}

Failure read_calls(Word word, CallsCase& subject) {
  Word piece;
  for (Pieces pieces(word, '+'); pieces.next(piece);) {
    if (static_cast<std::int64_t>(subject.calls.size()) == limits::calls) {
      return unexpected(piece, fmt::format("at most {} collectives", limits::calls));
    }
    const auto* found = std::find(collective_names.begin(), collective_names.end(), piece.text);
    if (found == collective_names.end()) {
      return unexpected(piece,
                        fmt::format("matmul, or a collective: {}", one_of(collective_names)));
    }
    const auto collective = static_cast<Collective>(found - collective_names.begin());
    const std::optional<std::string> why_not = cannot_follow(subject.calls, collective);
    if (why_not) return unexpected(piece, *why_not);
    subject.calls.push_back({collective, algorithms_of(collective).front()});
  }
  return std::nullopt;
}

Failure read_mesh(const Fields& fields, CallsCase& subject) {
  if (fields[Key::mesh].is_given) {
    auto mesh = parse_mesh(fields[Key::mesh].value);
    if (!mesh) return mesh.error();
    subject.mesh = *std::move(mesh);
  }
  if (!fields[Key::over].is_given) {
    subject.over.resize(subject.mesh.axes.size());
    std::iota(subject.over.begin(), subject.over.end(), 0);
    return std::nullopt;
  }
  const Word over = fields[Key::over].value;
  if (over.text.find(',') != std::string_view::npos) {
    return unexpected(over, "mesh axes joined by '/', as in over=x/y");
  }
  Word piece;
  for (Pieces pieces(over, '/'); pieces.next(piece);) {
    const auto axis = parse_mesh_axis(subject.mesh, piece);
    if (!axis) return axis.error();
    if (std::find(subject.over.begin(), subject.over.end(), *axis) != subject.over.end()) {
      return unexpected(piece, "each mesh axis once");
    }
    subject.over.push_back(*axis);
  }
  std::sort(subject.over.begin(), subject.over.end());
  return std::nullopt;
}

/// One row of counts; `room`: how many elements are left to all of them.
Failure read_row(Word word, std::int64_t members, std::int64_t& room,
                 std::vector<std::int64_t>& row) {
  Word piece;
  for (Pieces pieces(word, ','); pieces.next(piece);) {
    if (static_cast<std::int64_t>(row.size()) == members) {
      return unexpected(piece, fmt::format("{} counts, one a member", members));
    }
    const auto count = parse_count(piece, room);
    if (!count) return count.error();
    row.push_back(*count);
    room -= *count;
  }
  if (static_cast<std::int64_t>(row.size()) == members) return std::nullopt;
  return unexpected(word, fmt::format("{} counts, one a member", members));
}

Failure read_counts(const Fields& fields, CallsCase& subject) {
  const Word word = fields[Key::counts].value;
  for (const Key other : {Key::n, Key::split_n}) {
    if (fields[other].is_given) {
      return unexpected(fields[other].value,
                        fmt::format("counts= or {}=, not both", info(other).name));
    }
  }
  if (subject.calls.size() != 1 || subject.calls[0].collective != Collective::all_to_all) {
    return unexpected(word, "n=: counts= is for all_to_all alone");
  }
  const std::int64_t members = member_count(subject);
  std::int64_t room = limits::elements_per_tensor;
  Word piece;
  for (Pieces pieces(word, '|'); pieces.next(piece);) {
    if (static_cast<std::int64_t>(subject.counts.size()) == members) {
      return unexpected(piece, fmt::format("{} rows, one a member", members));
    }
    if (Failure f = read_row(piece, members, room, subject.counts.emplace_back())) return f;
  }
  if (static_cast<std::int64_t>(subject.counts.size()) == members) return std::nullopt;
  return unexpected(word, fmt::format("{} rows, one a member", members));
}

Failure read_split(const Fields& fields, CallsCase& subject) {
  const Fields::Field& field = fields[Key::split_n];
  if (!field.is_given) return std::nullopt;
  if (std::none_of(subject.calls.begin(), subject.calls.end(),
                   [](const Call& call) { return divides(call.collective); })) {
    return unexpected(field.value, "no split: none of the collectives divides n");
  }
  auto split = parse_split(field.value, subject.n);
  if (!split) return split.error();
  const std::int64_t members = member_count(subject);
  std::int64_t named = members;
  if (split->rule == Split::Rule::sizes) named = static_cast<std::int64_t>(split->sizes.size());
  if (split->rule == Split::Rule::sets) named = static_cast<std::int64_t>(split->sets.size());
  if (named != members)
    return unexpected(field.value, fmt::format("{} parts, one a member", members));
  subject.split = *std::move(split);
  return std::nullopt;
}

Failure read_size(const Fields& fields, CallsCase& subject) {
  if (fields[Key::counts].is_given) return read_counts(fields, subject);
  if (!fields[Key::n].is_given) {
    return unexpected(fields.end, fmt::format("n= with {}", info(Key::n).value));
  }
  const auto n = parse_count(fields[Key::n].value, limits::elements_per_tensor);
  if (!n) return n.error();
  subject.n = *n;
  return read_split(fields, subject);
}

Failure read_destinations(const Fields& fields, CallsCase& subject) {
  const Fields::Field& field = fields[Key::to];
  const std::int64_t members = member_count(subject);
  if (subject.calls.back().collective != Collective::permute) {
    if (field.is_given) return unexpected(field.value, "no to=: it is for permute alone");
    return std::nullopt;
  }
  if (!field.is_given) {
    for (std::int64_t m = 0; m < members; ++m) subject.destinations.push_back((m + 1) % members);
    return std::nullopt;
  }
  std::vector<bool> is_taken(static_cast<std::size_t>(members));
  Word piece;
  for (Pieces pieces(field.value, ','); pieces.next(piece);) {
    if (static_cast<std::int64_t>(subject.destinations.size()) == members) {
      return unexpected(piece, fmt::format("{} destinations, one a member", members));
    }
    if (piece.text == "-") {
      subject.destinations.push_back(-1);
      continue;
    }
    const auto member = parse_count(piece, members - 1);
    if (!member) return member.error();
    if (is_taken[static_cast<std::size_t>(*member)]) {
      return unexpected(piece, "a member that nobody else sends to");
    }
    is_taken[static_cast<std::size_t>(*member)] = true;
    subject.destinations.push_back(*member);
  }
  if (static_cast<std::int64_t>(subject.destinations.size()) == members) return std::nullopt;
  return unexpected(field.value, fmt::format("{} destinations, one a member", members));
}

Failure read_dtype(const Fields& fields, Key key, Dtype unless_given, Dtype& target) {
  target = unless_given;
  const Fields::Field& field = fields[key];
  if (!field.is_given) return std::nullopt;
  const std::optional<Dtype> dtype = dtype_named(field.value.text);
  if (!dtype) return unexpected(field.value, std::string(info(key).value));
  target = *dtype;
  return std::nullopt;
}

Failure read_dtypes(const Fields& fields, CallsCase& subject) {
  DtypeCombination& d = subject.dtypes;
  if (Failure f = read_dtype(fields, Key::in, Dtype::f32, d.in)) return f;
  const bool is_float = info(d.in).is_float;
  if (Failure f = read_dtype(fields, Key::acc, is_float ? default_acc(d.in) : d.in, d.acc))
    return f;
  d.wire = d.in;
  d.out = d.in;
  if (may_accumulate(d.in, d.acc)) return std::nullopt;
  if (!is_float) {
    return unexpected(fields[Key::acc].value, fmt::format("{}, as in=", info(d.in).name));
  }
  return unexpected(fields[Key::acc].value,
                    fmt::format("f16, bf16, f32 or f64 that holds every {}", info(d.in).name));
}

Failure read_operator(const Fields& fields, CallsCase& subject) {
  const Fields::Field& field = fields[Key::op];
  if (!field.is_given) return std::nullopt;
  const auto* found =
      std::find_if(operators.begin(), operators.end(),
                   [&](const OperatorInfo& entry) { return entry.name == field.value.text; });
  if (found == operators.end()) return unexpected(field.value, std::string(info(Key::op).value));
  if (std::none_of(subject.calls.begin(), subject.calls.end(),
                   [](const Call& call) { return reduces(call.collective); })) {
    return unexpected(field.value, "no operator: nothing reduces");
  }
  if (!is_for(found->op, subject.dtypes.in)) {
    return unexpected(field.value,
                      found->op == Operator::matrix
                          ? "matrix with in=u32 alone"
                          : "an operator for floats: sum, product, min, max or average");
  }
  subject.op = found->op;
  return std::nullopt;
}

Failure read_root(const Fields& fields, CallsCase& subject) {
  const Fields::Field& field = fields[Key::root];
  if (!field.is_given) return std::nullopt;
  if (std::none_of(subject.calls.begin(), subject.calls.end(),
                   [](const Call& call) { return has_root(call.collective); })) {
    return unexpected(field.value, "no root: none of the collectives has one");
  }
  const auto root = parse_count(field.value, member_count(subject) - 1);
  if (!root) return root.error();
  subject.root = *root;
  return std::nullopt;
}

Failure read_placement(const Fields& fields, CallsCase& subject) {
  const Fields::Field& field = fields[Key::in_place];
  if (!field.is_given || field.value.text == "no") return std::nullopt;
  if (field.value.text != "yes")
    return unexpected(field.value, std::string(info(Key::in_place).value));
  if (subject.calls.size() != 1 || !may_be_in_place(subject.calls[0].collective)) {
    return unexpected(
        field.value, "no: one all_reduce, reduce_scatter, all_gather or broadcast may be in place");
  }
  subject.in_place = true;
  return std::nullopt;
}

Failure read_algorithms(const Fields& fields, CallsCase& subject) {
  const Fields::Field& field = fields[Key::algorithm];
  if (!field.is_given) return std::nullopt;
  const std::string counted = fmt::format("{}, one a call", subject.calls.size());
  std::size_t at = 0;
  Word piece;
  for (Pieces pieces(field.value, '+'); pieces.next(piece); ++at) {
    if (at == subject.calls.size()) return unexpected(piece, counted);
    const auto algorithm = parse_algorithm(subject.calls[at].collective, piece);
    if (!algorithm) return algorithm.error();
    subject.calls[at].algorithm = *algorithm;
  }
  if (at == subject.calls.size()) return std::nullopt;
  return unexpected(field.value, counted);
}

Failure read_order(const Fields& fields, CallsCase& subject) {
  const Fields::Field& field = fields[Key::order];
  if (!field.is_given || field.value.text == "declared") return std::nullopt;
  if (field.value.text != "any")
    return unexpected(field.value, std::string(info(Key::order).value));
  if (!may_be_in_any_order(subject.calls)) {
    return unexpected(field.value, "declared: any is for one collective that reduces");
  }
  subject.order = Order::any;
  return std::nullopt;
}

Failure check_bytes(const Fields& fields, CallsCase& subject) {
  const std::int64_t members = member_count(subject);
  std::int64_t whole = subject.n;
  if (subject.calls.back().collective == Collective::all_to_all) whole *= members;
  for (const auto& row : subject.counts) whole = std::accumulate(row.begin(), row.end(), whole);
  const std::int64_t bytes =
      rank_count(subject.mesh) * (subject.n + whole) * info(subject.dtypes.in).bytes;
  if (bytes <= limits::bytes_per_case) return std::nullopt;
  const Key key = subject.counts.empty() ? Key::n : Key::counts;
  return unexpected(fields[key].value, fmt::format("at most {} bytes over all ranks, not {}",
                                                   limits::bytes_per_case, bytes));
}

Failure read_values(const Fields& fields, CallsCase& subject) {
  const Fields::Field& data = fields[Key::data];
  if (data.is_given) {
    if (Failure f = parse_regime(data.value, subject.data.regime, subject.data.seed)) return f;
  }
  const bool is_given = subject.data.regime == Data::Regime::given;
  const Fields::Field& x = fields[Key::x];
  if (x.is_given != is_given) {
    if (is_given) return unexpected(fields.end, fmt::format("X= with {}", info(Key::x).value));
    return unexpected(x.value, "data=given, or no values");
  }
  if (!is_given) return std::nullopt;
  const std::int64_t ranks = rank_count(subject.mesh);
  Word piece;
  for (Pieces pieces(x.value, '|'); pieces.next(piece);) {
    const auto rank = static_cast<std::int64_t>(subject.data.given.size());
    if (rank == ranks) return unexpected(piece, fmt::format("the inputs of {} ranks", ranks));
    Failure failed =
        parse_values(piece, fmt::format("rank {}", rank), input_elements(subject, rank),
                     subject.dtypes.in, subject.data.given.emplace_back());
    if (failed) return failed;
  }
  if (static_cast<std::int64_t>(subject.data.given.size()) == ranks) return std::nullopt;
  return unexpected(x.value, fmt::format("the inputs of {} ranks", ranks));
}

Failure read_run(const Fields& fields, CallsCase& subject) {
  const Fields::Field& field = fields[Key::run];
  return field.is_given ? parse_run(field.value, subject.run) : std::nullopt;
}

Word first_word(Word line) {
  const Word trimmed = part(line, std::min(line.text.find_first_not_of(" \t"), line.text.size()));
  return part(trimmed, 0, trimmed.text.find_first_of(" \t"));
}

}  // namespace

bool names_calls(std::string_view line) { return first_word({line, 1}).text != "matmul"; }

tl::expected<CallsCase, ParseError> parse_calls(std::string_view line) {
  const Word whole{line, 1};
  if (static_cast<std::int64_t>(line.size()) > limits::line_bytes) {
    const Word behind = part(whole, static_cast<std::size_t>(limits::line_bytes));
    return failure(behind, fmt::format("at most {} bytes", limits::line_bytes));
  }
  CallsCase subject;
  // First, for if the line isn't one of collectives no key is to blame.
  if (Failure failed = read_calls(first_word(whole), subject)) {
    return tl::unexpected<ParseError>(*failed);
  }
  const auto fields = parse_collective_fields(whole);
  if (!fields) return tl::unexpected<ParseError>(fields.error());
  // What a later reader needs stands in front of it.
  for (const auto read :
       {read_mesh, read_size, read_destinations, read_dtypes, read_operator, read_root,
        read_placement, read_algorithms, read_order, check_bytes, read_values, read_run}) {
    if (Failure failed = read(*fields, subject)) return tl::unexpected<ParseError>(*failed);
  }
  return subject;
}

}  // namespace shardcheck
