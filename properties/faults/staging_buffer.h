#pragma once

/// A mistake in memory: messages are staged in a buffer of a fixed size, however small the shards
/// are.

#include <cstdint>

#include "wrapped_endpoint.h"

namespace shardcheck {

class StagingBuffer final : public WrappedEndpoint {
 public:
  using WrappedEndpoint::WrappedEndpoint;

  void note_temporary_bytes(std::int64_t bytes) override {
    WrappedEndpoint::note_temporary_bytes(bytes + staging_bytes);
  }

 private:
  static constexpr std::int64_t staging_bytes = std::int64_t{16} << 20;
};

}  // namespace shardcheck
