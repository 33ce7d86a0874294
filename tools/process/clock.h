#pragma once

/// Time that passes, for limits and for measuring alone.

namespace shardcheck::tools {

/// Seconds since some moment: nothing that a run reports depends on it but what stands under
/// `timing`.
double seconds_now();

}  // namespace shardcheck::tools
