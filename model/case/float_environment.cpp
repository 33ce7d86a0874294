#include "float_environment.h"

#include <limits>

#include <fmt/format.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace shardcheck {
namespace {

template <typename Float>
bool rounds_to_nearest() {
  const volatile Float one = 1;
  const volatile Float tie = std::numeric_limits<Float>::epsilon() / 2;
  const volatile Float more = std::numeric_limits<Float>::epsilon() * Float{0.75};
  // Upwards changes the first sum, downwards and towards zero the second one; the negatives of both
  // are for a mode that rounds away from zero.
  return one + tie == one && one + more > one && -one - tie == -one && -one - more < -one;
}

template <typename Float>
bool keeps_subnormal_results() {
  const volatile Float smallest_normal = std::numeric_limits<Float>::min();
  const volatile Float half = 0.5;
  const volatile Float result = smallest_normal * half;
  return result != 0;
}

template <typename Float>
bool keeps_subnormal_operands() {
  const volatile Float subnormal = std::numeric_limits<Float>::denorm_min();
  // The result is normal, so that only the operand can have been lost.
  const volatile Float scale = Float{1} / std::numeric_limits<Float>::min();
  const volatile Float result = subnormal * scale;
  return result != 0;
}

}  // namespace

std::string_view float_environment_problem() {
  if (!rounds_to_nearest<float>() || !rounds_to_nearest<double>()) {
    return "results are not rounded to nearest";
  }
  // First, for a comparison takes its operands as a product does.
  if (!keeps_subnormal_operands<float>() || !keeps_subnormal_operands<double>()) {
    return "subnormal operands count as zero";
  }
  if (!keeps_subnormal_results<float>() || !keeps_subnormal_results<double>()) {
    return "subnormal results are flushed to zero";
  }
  return "";
}

std::string float_environment_text() {
#if defined(__x86_64__)
  constexpr unsigned flags_of_the_past = 0x3f;
  return fmt::format("MXCSR {:#06x}", _mm_getcsr() & ~flags_of_the_past);
#else
  const std::string_view problem = float_environment_problem();
  return std::string(problem.empty() ? "as IEEE 754 starts" : problem);
#endif
}

}  // namespace shardcheck
