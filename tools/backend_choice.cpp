#include "backend_choice.h"

#include <vector>

#include <fmt/format.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/properties/faults/fault.h>

namespace shardcheck::tools {

tl::expected<std::unique_ptr<Backend>, std::string> make_backend(std::string_view fault) {
  if (fault.empty()) return std::make_unique<impl::ShardedMatmul>();
  for (const std::vector<Fault>* table : {&faults(), &process_faults()}) {
    for (const Fault& entry : *table) {
      if (entry.name == fault) return entry.make();
    }
  }
  return tl::unexpected<std::string>(
      fmt::format("--fault: found '{}', expected a fault that `shardcheck list` names", fault));
}

std::string backend_name(const Backend& backend, std::string_view fault) {
  return fault.empty() ? std::string(backend.name()) : fmt::format("the planted fault {}", fault);
}

}  // namespace shardcheck::tools
