#pragma once

/// How this thread computes with floats. Everything here supposes rounding to nearest, ties to
/// even, and subnormal numbers that are kept; the mode register of a thread can say otherwise, and
/// loading a shared object that was linked with -ffast-math sets it so for the thread that loads
/// it.
///
///     float_environment_problem() == ""     // the processor's state after a plain start

#include <string>
#include <string_view>

namespace shardcheck {

/// What this thread does that no result may depend on; empty if nothing. Found out by computing,
/// not by reading a register, for f32 and f64 each.
std::string_view float_environment_problem();

/// "MXCSR 0x1f80": the register that decides, without its flags of what has happened so far. On
/// processors whose register we can't name: "as IEEE 754 starts", or the problem.
std::string float_environment_text();

}  // namespace shardcheck
