#include <variant>

#include "commands.h"
#include "results.h"

namespace shardcheck::tools {

Exit exit_of(const Case& subject, Status status) {
  if (status == Status::illegal) return Exit::bad_input;
  if (fails_a_run(status)) return Exit::findings;
  if (status != Status::unsupported) return Exit::passed;
  const bool has_trace =
      std::visit([](const auto& one) { return one.run.kind == Run::Kind::trace; }, subject);
  return has_trace ? Exit::bad_input : Exit::nothing_shown;
}

}  // namespace shardcheck::tools
