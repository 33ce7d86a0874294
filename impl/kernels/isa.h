#pragma once

/// Which instruction set the local product uses: the best that the machine has, or, for tests and
/// benchmarks, the one that the environment variable SHARDCHECK_ISA names when it is first asked
/// for. All give the same bits.
///
///     SHARDCHECK_ISA=sse2 shardcheck run …

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "kernel.h"

namespace shardcheck::impl {

enum class Isa : std::uint8_t { sse2, avx2, avx512 };

struct IsaInfo {
  Isa isa = Isa::sse2;
  std::string_view name;
  std::string_view needs;  ///< of the machine
};

/// In the order of the enumerators, the best last.
inline constexpr std::array<IsaInfo, 3> isas{{
    {Isa::sse2, "sse2", "nothing beyond x86-64"},
    {Isa::avx2, "avx2", "AVX2, FMA, F16C"},
    {Isa::avx512, "avx512", "AVX-512 F, BW, DQ and VL"},
}};

bool machine_has(Isa isa);

/// What `word`, a value of SHARDCHECK_ISA, asks for; the best that the machine has if it is empty.
/// Else why that can't be.
tl::expected<Isa, std::string> isa_named(std::string_view word);

/// Why the level that the environment asks for can't be had, if so: for a backend to say so before
/// it runs. The environment is read once.
std::optional<std::string> isa_objection();

/// The level that the environment asks for. Requires: no isa_objection().
Isa chosen_isa();

/// Requires: the machine has it.
const Kernels& kernels_of(Isa isa);

}  // namespace shardcheck::impl
