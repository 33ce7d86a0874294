#include "backend_choice.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <shardcheck/impl/backend.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/faults/fault.h>
#include <shardcheck/properties/generate/drawing.h>

namespace shardcheck::tools {
namespace {

const Fault* find(const std::vector<Fault>& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [name](const Fault& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

const Fault* fault_named(std::string_view name) {
  const Fault* const entry = find(faults(), name);
  return entry != nullptr ? entry : find(process_faults(), name);
}

}  // namespace

tl::expected<std::unique_ptr<Backend>, std::string> make_backend(std::string_view fault) {
  if (fault.empty()) return std::make_unique<impl::ShardedBackend>();
  const Fault* const entry = fault_named(fault);
  if (entry == nullptr) {
    return tl::unexpected<std::string>(
        fmt::format("--fault: found '{}', expected a fault that `shardcheck list` names", fault));
  }
  return entry->make();
}

std::string misfit(std::string_view fault, const Case& subject) {
  const Fault* const entry = fault_named(fault);
  if (entry == nullptr || affects(*entry, kind_of(subject))) return {};
  return fmt::format("--fault: {} is a mistake in {}, and this is a case of {}: {}", fault,
                     drawing_of(entry->kinds.front()).plural, drawing_of(kind_of(subject)).plural,
                     print(subject));
}

std::string unsafe(std::string_view fault) {
  if (find(process_faults(), fault) == nullptr) return {};
  return fmt::format(
      "--fault: {} would take this process with it; run, enumerate, minimize and replay without "
      "--in-process have processes of their own",
      fault);
}

tl::expected<Restrictions, std::string> restricted_to(std::string_view fault,
                                                      Restrictions restrictions) {
  const Fault* const entry = fault_named(fault);
  if (entry == nullptr || entry->kinds.size() == kinds.size()) return restrictions;
  const std::string_view kind = name(entry->kinds.front());
  const auto is_other = [kind](const std::string& value) {
    return std::any_of(kinds.begin(), kinds.end(), [&](const KindInfo& other) {
      return other.name == value && other.name != kind;
    });
  };
  for (const auto& [key, value] : restrictions.only) {
    if (key != "kind" || !is_other(value)) continue;
    return tl::unexpected<std::string>(
        fmt::format("--fault: {} is a mistake in cases of kind={}, which --only kind={} leaves out",
                    fault, kind, value));
  }
  restrictions.only.emplace_back("kind", kind);
  return restrictions;
}

std::string backend_name(const Backend& backend, std::string_view fault) {
  return fault.empty() ? std::string(backend.name()) : fmt::format("the planted fault {}", fault);
}

}  // namespace shardcheck::tools
