#pragma once

/// Which build this is, and on what it runs: failures name it, since a case is only as good as the
/// build that ran it.

#include <string>
#include <utility>
#include <vector>

namespace shardcheck::tools {

/// "shardcheck 0.1.0 (release, g++ 12.2.0)"
std::string build_info();

/// What a result may depend on beside the case, as name and text, for files and reports:
///     build, flags (the compiler's), cpu (as it names itself), float mode (of this thread)
std::vector<std::pair<std::string, std::string>> environment();

}  // namespace shardcheck::tools
