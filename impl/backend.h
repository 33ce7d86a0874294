#pragma once

/// The optimised implementation as a Backend.

#include <string_view>

#include <shardcheck/model/case/backend.h>

#include <shardcheck/impl/runtime/endpoint.h>

namespace shardcheck::impl {

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
