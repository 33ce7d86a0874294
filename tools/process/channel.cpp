#include "channel.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace shardcheck::tools {
namespace {

bool write_all(int end, const char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = ::write(end, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes += written;
    count -= static_cast<std::size_t>(written);
  }
  return true;
}

bool read_all(int end, char* bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t got = ::read(end, bytes, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

std::optional<Channel> open_channel() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return std::nullopt;
  return Channel{ends[0], ends[1]};
}

void close_end(int& end) {
  if (end >= 0) ::close(end);
  end = -1;
}

bool write_message(int end, std::string_view bytes) {
  const std::uint64_t count = bytes.size();
  std::array<char, sizeof count> header{};
  std::memcpy(header.data(), &count, sizeof count);
  return write_all(end, header.data(), header.size()) && write_all(end, bytes.data(), bytes.size());
}

std::optional<std::string> read_message(int end) {
  std::uint64_t count = 0;
  std::array<char, sizeof count> header{};
  if (!read_all(end, header.data(), header.size())) return std::nullopt;
  std::memcpy(&count, header.data(), sizeof count);
  std::string bytes(count, '\0');
  if (!read_all(end, bytes.data(), bytes.size())) return std::nullopt;
  return bytes;
}

bool wait_readable(int end, int milliseconds) {
  pollfd watched{end, POLLIN, 0};
  return ::poll(&watched, 1, milliseconds) > 0;
}

}  // namespace shardcheck::tools
