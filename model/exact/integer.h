#pragma once

/// The digits behind a Number, for the .cpp files of this folder: nobody else pays for cpp_int's
/// header.

#include <boost/multiprecision/cpp_int.hpp>

#include "number.h"

namespace shardcheck::model {

struct Number::Integer {
  boost::multiprecision::cpp_int value;
};

}  // namespace shardcheck::model
