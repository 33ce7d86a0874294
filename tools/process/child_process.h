#pragma once

/// A child process that answers questions one at a time, so that an answer may crash, hang or eat
/// memory without taking anything else along.
///
///     ChildProcess child({.prepare = [] { return [](const std::string& question) { … }; }});
///     const ChildProcess::Reply reply = child.ask("7");

#include <sys/types.h>
#include <functional>
#include <string>

#include "channel.h"

namespace shardcheck::tools {

/// One thread; requires that the process has no other when ask() is called. The child is started by
/// the first question and again after each that it didn't survive. It goes with its parent, and
/// leaves interrupts to it.
class ChildProcess {
 public:
  using Answering = std::function<std::string(const std::string& question)>;

  struct Work {
    std::function<Answering()> prepare;  ///< called in the child, once
    double seconds_max = 20;             ///< for an answer; then the child is killed
    std::function<void(pid_t)> ended{};  ///< called when a child is gone; may be empty
  };

  struct Reply {
    enum class Kind {
      answered,
      silent,       ///< for seconds_max
      died,         ///< see wait_status
      interrupted,  ///< before there was an answer (interruption.h)
      not_asked     ///< the system has no process left
    };
    Kind kind = Kind::not_asked;
    std::string answer{};
    int wait_status = 0;  ///< waitpid's
  };

  explicit ChildProcess(Work work);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  Reply ask(const std::string& question);

 private:
  bool start();
  int end();

  Work work_;
  pid_t pid_ = -1;
  Channel questions_;  ///< to the child
  Channel answers_;    ///< from it
};

}  // namespace shardcheck::tools
