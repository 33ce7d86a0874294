#pragma once

/// What a fuzz target is: a function from an input to an outcome. Each fuzz_*.cpp defines the two
/// functions below; engine.cpp hands them to a fuzzing engine, replay_main.cpp runs them on files.
///
///     fuzz_matmul corpus/seeds                      with an engine, e.g. libFuzzer
///     fuzz_matmul_replay crash-0f31…                without one, built by any compiler

#include <optional>
#include <string>
#include <string_view>

namespace shardcheck::fuzz {

struct Outcome {
  enum class Kind {
    passed,
    not_taken,  ///< no input for this target, or beyond its work limit: not worth keeping
    failed      ///< something is wrong
  };

  Kind kind = Kind::passed;
  std::string report{};  ///< not_taken: why, in one line; failed: what is wrong, for a person
};

/// Runs one input, whatever its bytes are. One thread.
Outcome run(std::string_view input);

/// Nothing if `input` is one for this target; else what is wrong with it, in one line: a file that
/// is replayed must be what it claims to be.
std::optional<std::string> why_unreadable(std::string_view input);

}  // namespace shardcheck::fuzz
