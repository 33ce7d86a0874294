#pragma once

/// The backend that a target judges: ours, or ours with the mistake that SHARDCHECK_FAULT names.

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace shardcheck::fuzz {

/// `faults`: a table whose entries have a name and make a backend. Exits with 2, after naming all
/// of them, if none is called so: a search for a mistake that isn't planted would find nothing.
template <class Correct, class Fault>
auto make_backend(const std::vector<Fault>& faults) -> decltype(faults.front().make()) {
  const char* wanted = std::getenv("SHARDCHECK_FAULT");
  if (wanted == nullptr) return std::make_unique<Correct>();
  for (const Fault& fault : faults) {
    if (fault.name == wanted) return fault.make();
  }
  std::fprintf(stderr, "SHARDCHECK_FAULT: found '%s', expected one of\n", wanted);
  for (const Fault& fault : faults) {
    std::fprintf(stderr, "  %.*s\n", static_cast<int>(fault.name.size()), fault.name.data());
  }
  std::exit(2);
}

}  // namespace shardcheck::fuzz
