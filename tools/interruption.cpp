#include "interruption.h"

#include <csignal>

namespace shardcheck::tools {
namespace {

volatile std::sig_atomic_t interrupts = 0;

void note_interrupt(int) { interrupts = interrupts + 1; }

}  // namespace

void watch_for_interrupts() {
  interrupts = 0;
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

int interrupt_count() { return interrupts; }

}  // namespace shardcheck::tools
