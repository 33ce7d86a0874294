#include "workspace.h"

#include <algorithm>

namespace shardcheck::impl {
namespace {

constexpr std::int64_t alignment = 64;
constexpr std::int64_t chunk_bytes = std::int64_t{1} << 15;
/// A chunk above this goes back to the system after its run.
constexpr std::int64_t kept_bytes = std::int64_t{1} << 22;

}  // namespace

void Workspace::begin(Endpoint& endpoint) {
  std::erase_if(chunks_, [](const Chunk& chunk) { return chunk.bytes > kept_bytes; });
  chunk_ = 0;
  used_ = 0;
  in_use_ = 0;
  endpoint_ = &endpoint;
}

std::byte* Workspace::take_for_lists(std::int64_t bytes) {
  const std::int64_t padded = (bytes + alignment - 1) / alignment * alignment;
  while (chunk_ < chunks_.size() && used_ + padded > chunks_[chunk_].bytes) {
    ++chunk_;
    used_ = 0;
  }
  if (chunk_ == chunks_.size()) {
    Chunk chunk;
    chunk.bytes = std::max(padded, chunk_bytes);
    chunk.memory = std::make_unique_for_overwrite<std::byte[]>(
        static_cast<std::size_t>(chunk.bytes + alignment));
    void* start = chunk.memory.get();
    std::size_t space = static_cast<std::size_t>(chunk.bytes + alignment);
    chunk.start = static_cast<std::byte*>(
        std::align(alignment, static_cast<std::size_t>(chunk.bytes), start, space));
    chunks_.push_back(std::move(chunk));
  }
  std::byte* taken = chunks_[chunk_].start + used_;
  used_ += padded;
  return taken;
}

std::byte* Workspace::take(std::int64_t bytes) {
  std::byte* taken = take_for_lists(bytes);
  in_use_ += bytes;
  if (endpoint_ != nullptr) endpoint_->note_temporary_bytes(in_use_);
  return taken;
}

void Workspace::release(const Mark& mark) {
  chunk_ = mark.chunk;
  used_ = mark.used;
  in_use_ = mark.in_use;
  if (endpoint_ != nullptr) endpoint_->note_temporary_bytes(in_use_);
}

}  // namespace shardcheck::impl
