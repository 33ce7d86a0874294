#pragma once

/// The backends that a command judges: ours for each kind of case, one of them perhaps with a
/// planted mistake.

#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include <shardcheck/model/case/case.h>
#include <shardcheck/model/case/backend.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/generate.h>

namespace shardcheck::tools {

struct Backends {
  std::unique_ptr<Backend> products;
  std::unique_ptr<Backend> collectives;
};

/// `fault` empty: the implementations as they are. Else one of them with the fault of that name, or
/// one line that says that there is none such.
tl::expected<Backends, std::string> make_backends(std::string_view fault);

/// By the case's kind.
Verdict check(const Case& subject, const Backends& backends, const CheckOptions& options);

/// Why the fault can't be planted beneath a case of that kind, in one line; empty: it can. A
/// mistake that can't be there would seem to go unseen.
std::string misfit(std::string_view fault, const Case& subject);

/// The same of a process that stays to tell: faults that end it are for processes of their own.
std::string unsafe(std::string_view fault);

/// What a run is held to so that it runs the backend that has the fault: cases of the kinds that
/// have it. Or why the restrictions leave none of these.
tl::expected<Restrictions, std::string> restricted_to(std::string_view fault,
                                                      Restrictions restrictions);

/// For reports: the names of the backends that run cases of these kinds, or "the planted fault
/// NAME".
std::string backend_names(const Backends& backends, std::string_view fault, bool has_products,
                          bool has_collectives);

}  // namespace shardcheck::tools
