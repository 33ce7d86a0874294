#pragma once

/// What is asked of a run, wherever its cases come from.

#include <cstdint>
#include <optional>
#include <string>

#include <shardcheck/properties/generate/generate.h>

namespace shardcheck::tools {

struct RunOptions {
  std::int64_t cases = 20000;
  std::optional<double> seconds;  ///< wall clock; nothing: until all cases ran
  std::uint64_t seed = 1;
  Restrictions restrictions;
  std::string fault;                      ///< plant this mistake; empty: none
  std::string json;                       ///< file to write; empty: none
  std::string report;                     ///< JUnit XML file to write; empty: none
  std::string failures_dir = "failures";  ///< where failing cases are kept
  std::int64_t jobs = 1;                  ///< worker processes
  std::int64_t failures_max = 20;         ///< different failures after which the run stops
  double case_seconds = 20;               ///< a case silent for that long is a timeout
  std::int64_t memory_mib = 4096;         ///< address space of a process that minimises
  std::string enumerated;                 ///< the space, in words; empty: cases are drawn
};

/// "seed 7": where the cases of a run come from.
inline std::string origin_of(const RunOptions& options) {
  return options.enumerated.empty() ? "seed " + std::to_string(options.seed) : "the enumeration";
}

}  // namespace shardcheck::tools
