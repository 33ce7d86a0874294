#pragma once

/// A ledger as a table: bytes by phase and pair of ranks.

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include <shardcheck/model/case/observation.h>

namespace shardcheck {

/// By (phase, source, destination). Entries of no bytes are judged by nobody, and left out.
using BytesByPlace = std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::int64_t>;

BytesByPlace tabulated(const std::vector<Transfer>& transfers);

struct BytesDiffer {
  std::int64_t phase = 0;
  std::int64_t source = 0;
  std::int64_t destination = 0;
  std::int64_t due = 0;
  std::int64_t told = 0;
};

/// The places at which two tables differ, ascending.
std::vector<BytesDiffer> differences(const BytesByPlace& due, const BytesByPlace& told);

}  // namespace shardcheck
