#pragma once

/// Which build this is: failures name it, since a case is only as good as the build that ran it.

#include <string>

namespace shardcheck::tools {

/// "shardcheck 0.1.0 (release, g++ 12.2.0)"
std::string build_info();

}  // namespace shardcheck::tools
