#include "message_text.h"

#include <fmt/format.h>

#include <shardcheck/model/case/dtype.h>
#include <shardcheck/properties/judge/number_text.h>

namespace shardcheck::tools {

std::string messages_text(const Observation& observation, std::size_t phase, const Detail& detail) {
  std::string text;
  std::int64_t count = 0;
  for (const Message& message : observation.messages) {
    if (message.phase != static_cast<std::int64_t>(phase)) continue;
    if (count++ >= detail.messages) continue;
    const auto bytes = std::ssize(message.elements) * info(message.dtype).bytes;
    text += fmt::format("  rank {} → rank {}: {} as {}, {}\n", message.source, message.destination,
                        list_text(message.elements, message.dtype, detail),
                        info(message.dtype).name, counted(bytes, "byte"));
  }
  return text + more_text(count, detail.messages, "messages");
}

}  // namespace shardcheck::tools
