#include "backend_choice.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/impl/backend.h>
#include <shardcheck/properties/check.h>
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

const Fault* product_fault(std::string_view name) {
  const Fault* entry = named(faults(), name);
  return entry != nullptr ? entry : named(process_faults(), name);
}

}  // namespace

tl::expected<Backends, std::string> make_backends(std::string_view fault) {
  Backends made{std::make_unique<impl::ShardedBackend>(),
                std::make_unique<impl::ShardedBackend>()};
  if (fault.empty()) return made;
  const Fault* of_products = product_fault(fault);
  const CollectiveFault* of_collectives = named(collective_faults(), fault);
  if (of_products == nullptr && of_collectives == nullptr) {
    return tl::unexpected<std::string>(
        fmt::format("--fault: found '{}', expected a fault that `shardcheck list` names", fault));
  }
  // Some mistakes can be made in either.
  if (of_products != nullptr) made.products = of_products->make();
  if (of_collectives != nullptr) made.collectives = of_collectives->make();
  return made;
}

Verdict check(const Case& subject, const Backends& backends, const CheckOptions& options) {
  if (const auto* product = std::get_if<ProductCase>(&subject)) {
    return check(*product, *backends.products, options);
  }
  return check(std::get<CallsCase>(subject), *backends.collectives, options);
}

std::string misfit(std::string_view fault, const Case& subject) {
  if (fault.empty()) return {};
  const bool is_product = std::holds_alternative<ProductCase>(subject);
  const bool fits =
      is_product ? product_fault(fault) != nullptr : named(collective_faults(), fault) != nullptr;
  if (fits) return {};
  return fmt::format("--fault: {} is a mistake in {}, and this is a case of {}: {}", fault,
                     is_product ? "collectives" : "products",
                     is_product ? "products" : "collectives", print(subject));
}

std::string unsafe(std::string_view fault) {
  if (named(process_faults(), fault) == nullptr) return {};
  return fmt::format(
      "--fault: {} would take this process with it; run, enumerate, minimize and replay without "
      "--in-process have processes of their own",
      fault);
}

tl::expected<Restrictions, std::string> restricted_to(std::string_view fault,
                                                      Restrictions restrictions) {
  if (fault.empty()) return restrictions;
  const bool has_products = product_fault(fault) != nullptr;
  const bool has_collectives = named(collective_faults(), fault) != nullptr;
  if (has_products && has_collectives) return restrictions;
  const std::string_view kind = has_products ? "matmul" : "collective";
  const std::string_view other = has_products ? "collective" : "matmul";
  const bool is_contradicted = std::any_of(
      restrictions.only.begin(), restrictions.only.end(), [other](const auto& restriction) {
        return restriction.first == "kind" && restriction.second == other;
      });
  if (is_contradicted) {
    return tl::unexpected<std::string>(
        fmt::format("--fault: {} is a mistake in cases of kind={}, which --only kind={} leaves out",
                    fault, kind, other));
  }
  restrictions.only.emplace_back("kind", kind);
  return restrictions;
}

std::string backend_names(const Backends& backends, std::string_view fault, bool has_products,
                          bool has_collectives) {
  if (!fault.empty()) return fmt::format("the planted fault {}", fault);
  if (!has_collectives) return std::string(backends.products->name());
  if (!has_products) return std::string(backends.collectives->name());
  return fmt::format("{} and {}", backends.products->name(), backends.collectives->name());
}

}  // namespace shardcheck::tools
