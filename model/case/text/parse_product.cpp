#include <algorithm>

#include <fmt/core.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/limits.h>
#include <shardcheck/model/case/text.h>
#include "algorithm_text.h"
#include "data_text.h"
#include "fields.h"
#include "layout_text.h"
#include "limits_text.h"
#include "plan_text.h"
#include "split_text.h"

namespace shardcheck {
namespace {

Failure read_mesh(const Fields& fields, ProductCase& subject) {
  // Without the key there is one rank and no axis.
  if (!fields[Key::mesh].is_given) return std::nullopt;
  auto mesh = parse_mesh(fields[Key::mesh].value);
  if (!mesh) return mesh.error();
  subject.mesh = *std::move(mesh);
  return std::nullopt;
}

Failure read_sizes(const Fields& fields, ProductCase& subject) {
  for (const auto& [key, size] : {std::pair{Key::i, &subject.i}, std::pair{Key::j, &subject.j},
                                  std::pair{Key::k, &subject.k}}) {
    const auto word = required(fields, key);
    if (!word) return word.error();
    const auto count = parse_count(*word, limits::elements_per_tensor);
    if (!count) return count.error();
    *size = *count;
  }
  return check_elements(fields, subject);
}

Failure read_layouts(const Fields& fields, ProductCase& subject) {
  for (const auto& [tensor, target] :
       {std::pair{Tensor::a, &subject.a}, std::pair{Tensor::b, &subject.b},
        std::pair{Tensor::c, &subject.c}}) {
    const auto word = required(fields, tensor);
    if (!word) return word.error();
    auto of = parse_layout(subject.mesh, tensor, *word);
    if (!of) return of.error();
    *target = *std::move(of);
  }
  return parse_splits(fields, subject);
}

Failure read_dtype(const Fields& fields, Key key, Dtype unless_given, Dtype& target) {
  target = unless_given;
  const Field& field = fields[key];
  if (!field.is_given) return std::nullopt;
  const std::optional<Dtype> dtype = dtype_named(field.value.text);
  if (!dtype) return unexpected(field.value, std::string(info(key).value));
  target = *dtype;
  return std::nullopt;
}

/// Points at the first of `blamed` that the line gives.
Failure illegal_dtypes(const Fields& fields, std::initializer_list<Key> blamed,
                       std::string expected) {
  const auto* key = std::find_if(blamed.begin(), blamed.end(),
                                 [&](Key candidate) { return fields[candidate].is_given; });
  return unexpected(key == blamed.end() ? fields.end : fields[*key].value, std::move(expected));
}

Failure read_dtypes(const Fields& fields, ProductCase& subject) {
  DtypeCombination& d = subject.dtypes;
  if (Failure f = read_dtype(fields, Key::in, Dtype::f32, d.in)) return f;
  if (Failure f = read_dtype(fields, Key::acc, default_acc(d.in), d.acc)) return f;
  if (Failure f = read_dtype(fields, Key::wire, d.acc, d.wire)) return f;
  if (Failure f = read_dtype(fields, Key::out, default_out(d.in, d.acc), d.out)) return f;
  if (is_legal(d)) return std::nullopt;
  const bool is_acc_legal = is_legal({d.in, d.acc, d.acc, default_out(d.in, d.acc)});
  if (!is_acc_legal) {
    return illegal_dtypes(fields, {Key::acc, Key::in},
                          fmt::format("an accumulator of 32 bits or more, or f16 or bf16, that "
                                      "holds every {}",
                                      info(d.in).name));
  }
  if (!info(d.in).is_float) {
    return illegal_dtypes(fields, {Key::out, Key::wire, Key::acc},
                          fmt::format("32 or 64 bits like {}, with out no wider than wire and wire "
                                      "no wider than acc",
                                      info(d.acc).name));
  }
  if (!info(d.out).is_float)
    return illegal_dtypes(fields, {Key::out}, "a float, as the inputs are");
  return illegal_dtypes(fields, {Key::wire},
                        fmt::format("a dtype whose every value {} holds", info(d.acc).name));
}

Failure read_algorithms(const Fields& fields, ProductCase& subject) {
  constexpr std::array<Key, plan_collective_count> by_collective{
      Key::algorithm_all_reduce, Key::algorithm_reduce_scatter, Key::algorithm_all_gather};
  for (std::size_t c = 0; c < by_collective.size(); ++c) {
    const Field& field = fields[by_collective[c]];
    if (!field.is_given) continue;
    const auto algorithm = parse_algorithm(static_cast<Collective>(c), field.value);
    if (!algorithm) return algorithm.error();
    subject.algorithms[c] = *algorithm;
  }
  return std::nullopt;
}

Failure read_plan(const Fields& fields, ProductCase& subject) {
  const Field& field = fields[Key::plan];
  if (!field.is_given || field.value.text == "auto") return std::nullopt;
  auto plan = parse_plan(subject.mesh, field.value);
  if (!plan) return plan.error();
  subject.plan = *std::move(plan);
  return std::nullopt;
}

/// A key whose value is one of the names of a table in the order of the enumerators.
template <typename Enum, typename Table>
Failure read_name(const Fields& fields, Key key, const Table& table, Enum& target) {
  const Field& field = fields[key];
  if (!field.is_given) return std::nullopt;
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& entry) {
    return entry.name == field.value.text;
  });
  if (found == table.end()) return unexpected(field.value, std::string(info(key).value));
  target = static_cast<Enum>(found - table.begin());
  return std::nullopt;
}

Failure read_promises(const Fields& fields, ProductCase& subject) {
  if (Failure f = read_name(fields, Key::order, orders, subject.order)) return f;
  if (Failure f = read_name(fields, Key::kernel, kernels, subject.kernel)) return f;
  return read_name(fields, Key::fma, fmas, subject.fma);
}

Failure read_run(const Fields& fields, ProductCase& subject) {
  const Field& field = fields[Key::run];
  return field.is_given ? parse_run(field.value, subject.run) : std::nullopt;
}

tl::expected<ProductCase, ParseError> parse_matmul(Word rest) {
  const auto fields = parse_fields(rest);
  if (!fields) return tl::unexpected<ParseError>(fields.error());
  ProductCase subject;
  // What a later reader needs stands in front of it.
  for (const auto read : {read_mesh, read_sizes, read_layouts, read_dtypes, check_bytes,
                          read_algorithms, read_plan, read_promises, parse_data, read_run}) {
    if (Failure failed = read(*fields, subject)) return tl::unexpected<ParseError>(*failed);
  }
  return subject;
}

}  // namespace

tl::expected<ProductCase, ParseError> parse_product(std::string_view line) {
  const Word whole{line, 1};
  if (static_cast<std::int64_t>(line.size()) > limits::line_bytes) {
    const Word behind = part(whole, static_cast<std::size_t>(limits::line_bytes));
    return failure(behind, fmt::format("at most {} bytes", limits::line_bytes));
  }
  const Word trimmed = part(whole, std::min(line.find_first_not_of(" \t"), line.size()));
  const Word first = part(trimmed, 0, trimmed.text.find_first_of(" \t"));
  if (first.text == "matmul") return parse_matmul(part(trimmed, first.text.size()));
  return failure(first, "matmul");
}

tl::expected<Case, ParseError> parse(std::string_view line) {
  if (names_calls(line)) return parse_calls(line);
  return parse_product(line);
}

}  // namespace shardcheck
