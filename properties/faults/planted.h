#pragma once

/// How a mistake is planted: a function stands between the harness and the correct backend, or a
/// wrapper between a rank and its endpoint.
///
///     planted(&last_k_dropped)      // a factory, as Fault::make wants it

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/backend.h>

#include "fault.h"

namespace shardcheck {

/// Runs `inner` on the request, or on a request made from it, and alters what comes of it.
using Mistake = std::function<Observation(const Request& request, Backend& inner)>;

std::function<std::unique_ptr<Backend>()> planted(Mistake mistake);
std::function<std::unique_ptr<Backend>()> planted(impl::EndpointWrapper wrap);

/// The request's inputs, copied so that a mistake may change them. Outputs are the request's own.
class CopiedInputs {
 public:
  explicit CopiedInputs(const Request& request);

  std::span<std::byte> of(Tensor tensor, std::size_t rank);
  /// The request with these inputs; valid as long as this object and the request's case.
  Request request() const { return {subject_, ranks_, trace_}; }

 private:
  const ProductCase& subject_;
  bool trace_;
  std::vector<std::vector<std::byte>> a_;
  std::vector<std::vector<std::byte>> b_;
  std::vector<RankMemory> ranks_;
};

/// Twice the value, exactly, where the format has room for it.
Bits doubled(Dtype dtype, Bits bits);

/// One table a file, most by the invariant that must see it.
std::vector<Fault> liveness_faults();
std::vector<Fault> memory_faults();
std::vector<Fault> plan_faults();
std::vector<Fault> coverage_faults();
std::vector<Fault> ownership_faults();
std::vector<Fault> ledger_faults();
std::vector<Fault> value_faults();
std::vector<Fault> determinism_faults();
std::vector<Fault> schedule_faults();

}  // namespace shardcheck
