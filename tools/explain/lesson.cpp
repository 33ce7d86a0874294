#include "lesson.h"

#include <array>
#include <cstddef>

namespace shardcheck::tools {

const Lesson& lesson_of(Kind kind) {
  static const std::array<const Lesson*, kinds.size()> rows{&product_lesson, &calls_lesson};
  return *rows[static_cast<std::size_t>(kind)];
}

}  // namespace shardcheck::tools
