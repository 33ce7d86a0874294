// Whole sharded products, through check() and our implementation.

#include "case_target.h"

namespace shardcheck::fuzz {

const Kind kind_taken = Kind::product;

}  // namespace shardcheck::fuzz
