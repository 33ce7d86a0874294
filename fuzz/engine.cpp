// A target in the hands of a fuzzing engine: libFuzzer's interface, which AFL++, Honggfuzz and
// OSS-Fuzz understand too. A failure prints its report and aborts; the engine keeps the input.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using shardcheck::fuzz::Outcome;
  const Outcome outcome = shardcheck::fuzz::run({reinterpret_cast<const char*>(data), size});
  if (outcome.kind == Outcome::Kind::failed) {
    std::fprintf(stderr, "%s\n", outcome.report.c_str());
    std::abort();
  }
  // -1: not to be added to the corpus.
  return outcome.kind == Outcome::Kind::passed ? 0 : -1;
}
