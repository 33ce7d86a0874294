#include "isa.h"

#include <cpuid.h>

#include <cstdlib>

#include <fmt/format.h>

#include <shardcheck/model/case/contract.h>

namespace shardcheck::impl {
namespace {

/// Not among what every compiler's __builtin_cpu_supports knows.
bool has_f16c() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned f16c = 1U << 29U;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & f16c) != 0;
}

std::string names_of_isas() {
  std::string names;
  for (const IsaInfo& info : isas) {
    names += names.empty() ? "" : ", ";
    names += info.name;
  }
  return names;
}

const tl::expected<Isa, std::string>& asked_isa() {
  static const tl::expected<Isa, std::string> asked = [] {
    const char* word = std::getenv("SHARDCHECK_ISA");
    return isa_named(word == nullptr ? "" : word);
  }();
  return asked;
}

}  // namespace

bool machine_has(Isa isa) {
  __builtin_cpu_init();
  switch (isa) {
    case Isa::sse2: return true;
    case Isa::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c();
    case Isa::avx512:
      return machine_has(Isa::avx2) && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl");
  }
  return false;
}

tl::expected<Isa, std::string> isa_named(std::string_view word) {
  if (word.empty()) {
    Isa best = Isa::sse2;
    for (const IsaInfo& info : isas) best = machine_has(info.isa) ? info.isa : best;
    return best;
  }
  for (const IsaInfo& info : isas) {
    if (info.name != word) continue;
    if (machine_has(info.isa)) return info.isa;
    return tl::unexpected(
        fmt::format("SHARDCHECK_ISA={}: this machine hasn't got {}", word, info.needs));
  }
  return tl::unexpected(
      fmt::format("SHARDCHECK_ISA={}: expected one of {}", word, names_of_isas()));
}

std::optional<std::string> isa_objection() {
  const auto& asked = asked_isa();
  return asked ? std::nullopt : std::optional(asked.error());
}

Isa chosen_isa() {
  const auto& asked = asked_isa();
  if (!asked) contract_broken("isa_objection()", asked.error(), __FILE__, __LINE__);
  return *asked;
}

const Kernels& kernels_of(Isa isa) {
  switch (isa) {
    case Isa::sse2: break;
    case Isa::avx2: return avx2_kernels();
    case Isa::avx512: return avx512_kernels();
  }
  return sse2_kernels();
}

}  // namespace shardcheck::impl
