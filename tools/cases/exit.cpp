#include "exit.h"

namespace shardcheck::tools {

Exit exit_of(const Case& subject, Status status) {
  if (status == Status::illegal) return Exit::bad_input;
  if (is_failure(status)) return Exit::findings;
  if (status != Status::unsupported) return Exit::passed;
  const bool has_trace = setting(subject).run.kind == Run::Kind::trace;
  return has_trace ? Exit::bad_input : Exit::nothing_shown;
}

}  // namespace shardcheck::tools
