#pragma once

/// An endpoint that passes everything on, for a mistake to override one function of.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include <shardcheck/impl/runtime/endpoint.h>

namespace shardcheck {

class WrappedEndpoint : public impl::Endpoint {
 public:
  explicit WrappedEndpoint(impl::Endpoint& inner) : inner_(inner) {}

  std::int64_t rank() const override { return inner_.rank(); }
  std::int64_t rank_count() const override { return inner_.rank_count(); }
  void begin_phase(std::int64_t phase, Dtype dtype) override { inner_.begin_phase(phase, dtype); }
  impl::Pending start_send(std::int64_t destination, std::span<const std::byte> payload) override {
    return inner_.start_send(destination, payload);
  }
  impl::Pending start_receive(std::int64_t source, std::size_t bytes,
                              std::function<void(std::span<const std::byte>)> consume) override {
    return inner_.start_receive(source, bytes, std::move(consume));
  }
  void wait(impl::Pending pending) override { inner_.wait(pending); }
  void note_temporary_bytes(std::int64_t bytes) override { inner_.note_temporary_bytes(bytes); }

 protected:
  impl::Endpoint& inner() { return inner_; }

 private:
  impl::Endpoint& inner_;
};

template <typename Wrapped>
impl::EndpointWrapper wrapped() {
  return [](impl::Endpoint& inner) { return std::make_unique<Wrapped>(inner); };
}

}  // namespace shardcheck
