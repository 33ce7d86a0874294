#include "bytes_by_place.h"

namespace shardcheck {

namespace {

std::int64_t bytes_at(const BytesByPlace& bytes, const BytesByPlace::key_type& place) {
  const auto found = bytes.find(place);
  return found == bytes.end() ? 0 : found->second;
}

}  // namespace

BytesByPlace tabulated(const std::vector<Transfer>& transfers) {
  BytesByPlace bytes;
  for (const Transfer& transfer : transfers) {
    if (transfer.bytes == 0) continue;
    bytes[{transfer.phase, transfer.source, transfer.destination}] += transfer.bytes;
  }
  return bytes;
}

std::vector<BytesDiffer> differences(const BytesByPlace& due, const BytesByPlace& told) {
  std::vector<BytesDiffer> found;
  BytesByPlace places = due;
  places.insert(told.begin(), told.end());
  for (const auto& [place, unused] : places) {
    const std::int64_t allowed = bytes_at(due, place);
    const std::int64_t count = bytes_at(told, place);
    if (allowed == count) continue;
    const auto& [phase, source, destination] = place;
    found.push_back({phase, source, destination, allowed, count});
  }
  return found;
}

}  // namespace shardcheck
