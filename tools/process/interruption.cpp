#include "interruption.h"

#include <unistd.h>

#include <csignal>

#include <shardcheck/tools/cases/exit.h>

namespace shardcheck::tools {
namespace {

volatile std::sig_atomic_t interrupts = 0;
std::string_view last_words;

void note_interrupt(int) { interrupts = interrupts + 1; }

void end_at_once(int) {
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, last_words.data(), last_words.size());
  ::_exit(static_cast<int>(Exit::interrupted));
}

void handle_interrupts(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  ::sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

void watch_for_interrupts() {
  interrupts = 0;
  handle_interrupts(note_interrupt);
  ::signal(SIGPIPE, SIG_IGN);
}

void end_when_interrupted(std::string_view words) {
  last_words = words;
  handle_interrupts(end_at_once);
}

int interrupt_count() { return interrupts; }

}  // namespace shardcheck::tools
