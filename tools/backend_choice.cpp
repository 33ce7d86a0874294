#include "backend_choice.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/impl/collective_backend.h>
#include <shardcheck/properties/collectives/check.h>
#include <shardcheck/properties/faults/collective_fault.h>
#include <shardcheck/properties/faults/fault.h>

namespace shardcheck::tools {
namespace {

template <typename Entry>
const Entry* named(const std::vector<Entry>& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [name](const Entry& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace

tl::expected<Backends, std::string> make_backends(std::string_view fault) {
  Backends made{std::make_unique<impl::ShardedMatmul>(),
                std::make_unique<impl::ShardedCollectives>()};
  if (fault.empty()) return made;
  for (const std::vector<Fault>* table : {&faults(), &process_faults()}) {
    if (const Fault* entry = named(*table, fault)) {
      made.products = entry->make();
      return made;
    }
  }
  if (const CollectiveFault* entry = named(collective_faults(), fault)) {
    made.collectives = entry->make();
    return made;
  }
  return tl::unexpected<std::string>(
      fmt::format("--fault: found '{}', expected a fault that `shardcheck list` names", fault));
}

Verdict check(const AnyCase& subject, const Backends& backends, const CheckOptions& options) {
  if (const auto* product = std::get_if<Case>(&subject)) {
    return check(*product, *backends.products, options);
  }
  return check(std::get<CollectiveCase>(subject), *backends.collectives, options);
}

Restrictions with_kind_of(std::string_view fault, Restrictions restrictions) {
  const bool is_restricted =
      std::any_of(restrictions.only.begin(), restrictions.only.end(),
                  [](const auto& restriction) { return restriction.first == "kind"; });
  if (fault.empty() || is_restricted) return restrictions;
  const bool is_of_collectives = named(collective_faults(), fault) != nullptr;
  restrictions.only.emplace_back("kind", is_of_collectives ? "collective" : "matmul");
  return restrictions;
}

std::string backend_names(const Backends& backends, std::string_view fault) {
  if (!fault.empty()) return fmt::format("the planted fault {}", fault);
  return fmt::format("{} and {}", backends.products->name(), backends.collectives->name());
}

}  // namespace shardcheck::tools
