#pragma once

/// The backend that a command judges: ours, perhaps with a planted mistake.

#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include <shardcheck/model/case/backend.h>
#include <shardcheck/model/case/case.h>
#include <shardcheck/properties/generate/generate.h>

namespace shardcheck::tools {

/// `fault` empty: the implementation as it is. Else one with the fault of that name, or one line
/// that says that there is none such.
tl::expected<std::unique_ptr<Backend>, std::string> make_backend(std::string_view fault);

/// Why the fault can't be planted beneath a case of that kind, in one line; empty: it can. A
/// mistake that can't be there would seem to go unseen.
std::string misfit(std::string_view fault, const Case& subject);

/// The same of a process that stays to tell: faults that end it are for processes of their own.
std::string unsafe(std::string_view fault);

/// What a run is held to so that it runs the mistake: cases of the kinds in which it shows. Or why
/// the restrictions leave none of these.
tl::expected<Restrictions, std::string> restricted_to(std::string_view fault,
                                                      Restrictions restrictions);

/// For reports: the backend's name, or "the planted fault NAME".
std::string backend_name(const Backend& backend, std::string_view fault);

}  // namespace shardcheck::tools
