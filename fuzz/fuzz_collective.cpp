// Collectives alone and in a row, through check() and our implementation.

#include "case_target.h"

namespace shardcheck::fuzz {

const Kind kind_taken = Kind::calls;

}  // namespace shardcheck::fuzz
