#include "option_values.h"

#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include "case_source.h"

namespace shardcheck::tools {
namespace {

/// All of the text as a number, or false.
template <typename Number>
bool reads_as(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end;
}

}  // namespace

std::string why_not_whole(const std::string& text, std::uint64_t low, std::uint64_t high) {
  std::uint64_t number = 0;
  const bool is_plain = text == "0" || !text.starts_with('0');
  if (is_plain && reads_as(text, number) && number >= low && number <= high) return {};
  return fmt::format("found '{}', expected a whole number from {} to {}", printable(text), low,
                     high);
}

std::string why_not_seconds(const std::string& text, double low, double high) {
  double number = 0;
  // Not a number is neither below nor above anything.
  if (reads_as(text, number) && number >= low && number <= high) return {};
  return fmt::format("found '{}', expected seconds from {} to {}", printable(text), low, high);
}

std::string why_no_path(const std::string& text) {
  return text.empty() ? "found nothing, expected the path of a file or folder" : "";
}

tl::expected<Restrictions, std::string> read_restrictions(const std::vector<std::string>& only,
                                                          const std::string& runtime) {
  std::vector<std::string> entries = only;
  if (!runtime.empty()) entries.push_back("run=" + runtime);
  Restrictions restrictions;
  for (const std::string& entry : entries) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0) {
      return tl::unexpected<std::string>(
          fmt::format("--only: found '{}', expected KEY=VALUE", printable(entry)));
    }
    const std::string key = entry.substr(0, equals);
    const std::string value = entry.substr(equals + 1);
    for (const auto& [earlier_key, earlier] : restrictions.only) {
      if (earlier_key != key || earlier == value) continue;
      return tl::unexpected<std::string>(
          fmt::format("--only: found {0}={1} and {0}={2}, expected one value of a key", key,
                      printable(earlier), printable(value)));
    }
    restrictions.only.emplace_back(key, value);
  }
  return restrictions;
}

}  // namespace shardcheck::tools
