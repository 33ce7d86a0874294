#pragma once

/// The optimised implementation as a Backend.

#include <functional>
#include <memory>
#include <string_view>

#include <shardcheck/model/case/backend.h>

#include <shardcheck/impl/runtime/endpoint.h>

namespace shardcheck::impl {

/// Puts something between a rank and its endpoint; a test's way to lose or hold a message. Called
/// once a rank, before it starts.
using EndpointWrapper = std::function<std::unique_ptr<Endpoint>(Endpoint& inner)>;

class ShardedMatmul final : public Backend {
 public:
  explicit ShardedMatmul(EndpointWrapper wrap = {});

  std::string_view name() const override;
  Promises promises() const override;
  Observation run(const Request& request) override;

 private:
  EndpointWrapper wrap_;
};

}  // namespace shardcheck::impl
