#pragma once

namespace shardcheck::impl {

/// Ends a rank of a world that has failed, so that the rank's destructors run. No std::exception,
/// so that a rank program that catches those doesn't stop it.
struct Cancelled {};

}  // namespace shardcheck::impl
