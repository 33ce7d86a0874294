#include <fmt/core.h>

#include <shardcheck/model/case/dtype_rules.h>
#include <shardcheck/model/case/text.h>
#include "data_text.h"
#include "layout_text.h"
#include "split_text.h"

namespace shardcheck {
namespace {

std::string key_and(Key key, std::string_view value) {
  return fmt::format(" {}={}", info(key).name, value);
}

std::string print_dtypes(const DtypeCombination& d) {
  std::string text;
  if (d.in != Dtype::f32) text += key_and(Key::in, info(d.in).name);
  if (d.acc != default_acc(d.in)) text += key_and(Key::acc, info(d.acc).name);
  if (d.wire != d.acc) text += key_and(Key::wire, info(d.wire).name);
  if (d.out != default_out(d.in, d.acc)) text += key_and(Key::out, info(d.out).name);
  return text;
}

std::string print_algorithms(const ProductCase& subject) {
  std::string text;
  for (std::size_t c = 0; c < plan_collective_count; ++c) {
    if (subject.algorithms[c] == Algorithm::ring) continue;
    text += fmt::format(" algorithm.{}={}", collective_names[c], name(subject.algorithms[c]));
  }
  return text;
}

std::string print_promises(const ProductCase& subject) {
  std::string text;
  if (subject.order != Order::declared) {
    text += key_and(Key::order, name(subject.order));
  }
  if (subject.kernel != Kernel::fast) {
    text += key_and(Key::kernel, name(subject.kernel));
  }
  if (subject.fma != Fma::no) {
    text += key_and(Key::fma, name(subject.fma));
  }
  return text;
}

}  // namespace

std::string print(const ProductCase& subject) {
  std::string text = "matmul";
  if (!subject.mesh.axes.empty()) text += key_and(Key::mesh, print_mesh(subject.mesh));
  text +=
      fmt::format(" i={} j={} k={} {} {} -> {}", subject.i, subject.j, subject.k,
                  print(subject, Tensor::a), print(subject, Tensor::b), print(subject, Tensor::c));
  text += print_splits(subject);
  text += print_dtypes(subject.dtypes);
  text += print_algorithms(subject);
  if (subject.plan) text += key_and(Key::plan, print(subject.mesh, *subject.plan));
  text += print_promises(subject);
  text += print_data(subject);
  text += print_run(subject.run);
  return text;
}

std::string print(const ParseError& error) {
  const std::string found = error.found.empty() ? "nothing" : fmt::format("'{}'", error.found);
  return fmt::format("column {}: found {}, expected {}", error.column, found, error.expected);
}

std::string print(const Case& subject) {
  return std::visit([](const auto& one) { return print(one); }, subject);
}

}  // namespace shardcheck
