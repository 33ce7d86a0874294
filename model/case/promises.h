#pragma once

/// What a backend says that it keeps to, beyond a right answer. Only what is promised is held
/// against it.

namespace shardcheck {

struct Promises {
  bool declared_order = true;  ///< sums across ranks follow the algorithm's documented tree
  bool local_order = true;     ///< a local product adds in ascending position of its k list
  bool equal_replicas = true;  ///< replicas agree bit for bit
};

}  // namespace shardcheck
