#pragma once

/// The backends that a command judges: ours for each kind of case, one of them perhaps with a
/// planted mistake.

#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include <shardcheck/model/case/any_case.h>
#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/collective_backend.h>
#include <shardcheck/properties/check.h>
#include <shardcheck/properties/generate/generate.h>

namespace shardcheck::tools {

struct Backends {
  std::unique_ptr<Backend> products;
  std::unique_ptr<CollectiveBackend> collectives;
};

/// `fault` empty: the implementations as they are. Else one of them with the fault of that name, or
/// one line that says that there is none such.
tl::expected<Backends, std::string> make_backends(std::string_view fault);

/// By the case's kind.
Verdict check(const AnyCase& subject, const Backends& backends, const CheckOptions& options);

/// What a run is held to so that it runs the backend that has the fault: cases of its kind, unless
/// `kind` is restricted already.
Restrictions with_kind_of(std::string_view fault, Restrictions restrictions);

/// For reports: the backends' own names, or "the planted fault NAME".
std::string backend_names(const Backends& backends, std::string_view fault);

}  // namespace shardcheck::tools
