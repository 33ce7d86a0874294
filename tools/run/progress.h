#pragma once

/// How far a run is, on standard error: one live line on a terminal, a plain line now and then
/// elsewhere. Standard output stays free for what the run has to say.

#include <string>

#include "run_options.h"
#include "supervisor.h"

namespace shardcheck::tools {

/// True if colours may be used there: a terminal, and NO_COLOR isn't set (no-color.org).
bool may_colour(int descriptor);

class Progress {
 public:
  explicit Progress(const RunOptions& options);

  void update(const RunOutcome& outcome);
  /// Says what is at work after the cases.
  void note(const std::string& text);
  /// Clears the live line.
  void finish();

 private:
  void show(const std::string& text);

  const RunOptions& options_;
  bool is_terminal_ = false;
  bool has_colour_ = false;
  double next_ = 0;  ///< seconds of the run at which something is shown again
};

}  // namespace shardcheck::tools
