#pragma once

/// Whole messages over a pipe between two processes of the same build: a length, then the bytes.

#include <optional>
#include <string>
#include <string_view>

namespace shardcheck::tools {

/// A pipe's two ends.
struct Channel {
  int read_end = -1;
  int write_end = -1;
};

/// Nothing if the system has no pipe left.
std::optional<Channel> open_channel();

void close_end(int& end);

/// False if the other side is gone.
bool write_message(int end, std::string_view bytes);

/// Blocks for a whole message; nothing if the other side is gone before its end.
std::optional<std::string> read_message(int end);

/// Waits up to `milliseconds` for something to read, the end of the other side included.
bool wait_readable(int end, int milliseconds);

}  // namespace shardcheck::tools
