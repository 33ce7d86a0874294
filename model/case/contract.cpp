#include "contract.h"

#include <cstdio>
#include <cstdlib>

namespace shardcheck {
namespace {

std::string_view& case_at_work() {
  static thread_local std::string_view line;
  return line;
}

void write(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace

void set_case_at_work(std::string_view line) { case_at_work() = line; }

void contract_broken(std::string_view condition, std::string_view why, std::string_view file,
                     int line) {
  write(file);
  std::fprintf(stderr, ":%d: broken contract: ", line);
  write(condition);
  write("\n  because: ");
  write(why);
  if (!case_at_work().empty()) {
    write("\n  case: ");
    write(case_at_work());
  }
  write("\n");
  std::fflush(stderr);
  std::abort();
}

}  // namespace shardcheck
