#pragma once

/// The table of kernels of one instruction set. Included by the file of each (register_tile.h says
/// what that file must see to).

#include "blocked_product.h"
#include "kernel.h"
#include "steps.h"

namespace shardcheck::impl {

template <typename Isa>
constexpr Kernels kernels_on() {
  return {
      ordered_product<Unfused<Isa, float>>(),
      ordered_product<Fused<Isa, float>>(),
      ordered_product<Unfused<Isa, double>>(),
      ordered_product<Fused<Isa, double>>(),
      ordered_product<NarrowUnfused<Isa, RoundToF16<Isa>>>(),
      ordered_product<F16Fused<Isa>>(),
      ordered_product<NarrowUnfused<Isa, RoundToBf16<Isa>>>(),
      ordered_product<Bf16Fused<Isa>>(),
      ordered_product<Unfused<Isa, std::uint32_t>>(),
      ordered_product<Unfused<Isa, std::uint64_t>>(),
  };
}

}  // namespace shardcheck::impl
