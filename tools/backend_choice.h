#pragma once

/// The backend that a command judges: ours, or ours with a planted mistake.

#include <memory>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include <shardcheck/model/case/backend.h>

namespace shardcheck::tools {

/// `fault` empty: the implementation as it is. Else the fault of that name, or one line that says
/// that there is none such.
tl::expected<std::unique_ptr<Backend>, std::string> make_backend(std::string_view fault);

/// For reports: the backend's own name, or "the planted fault NAME".
std::string backend_name(const Backend& backend, std::string_view fault);

}  // namespace shardcheck::tools
