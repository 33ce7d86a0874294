#include "meter.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include <shardcheck/model/case/contract.h>
#include <shardcheck/model/case/element.h>

namespace shardcheck::impl {
namespace {

auto key(const Transfer& transfer) {
  return std::tuple(transfer.phase, transfer.source, transfer.destination);
}

std::vector<Transfer> merged(std::span<const RankMeter> meters,
                             std::vector<Transfer> RankMeter::*counts) {
  std::size_t entry_count = 0;
  for (const RankMeter& meter : meters) entry_count += (meter.*counts).size();
  std::vector<Transfer> all;
  all.reserve(entry_count);
  for (const RankMeter& meter : meters) {
    all.insert(all.end(), (meter.*counts).begin(), (meter.*counts).end());
  }
  sort_and_merge(all);
  return all;
}

}  // namespace

void clear(RankMeter& meter) {
  meter.sent.clear();
  meter.received.clear();
  meter.temporary_bytes = 0;
  meter.messages.clear();
}

void sort_and_merge(std::vector<Transfer>& transfers) {
  const auto precedes = [](const Transfer& a, const Transfer& b) { return key(a) < key(b); };
  std::sort(transfers.begin(), transfers.end(), precedes);
  auto kept = transfers.begin();
  for (auto next = transfers.begin(); next != transfers.end(); ++next) {
    if (next == kept) continue;
    if (key(*next) == key(*kept)) {
      kept->bytes += next->bytes;
      kept->messages += next->messages;
    } else {
      *++kept = *next;
    }
  }
  if (kept != transfers.end()) transfers.erase(std::next(kept), transfers.end());
}

Ledger ledger_of(std::span<const RankMeter> meters) {
  return {merged(meters, &RankMeter::sent), merged(meters, &RankMeter::received)};
}

std::vector<std::int64_t> temporary_bytes_of(std::span<const RankMeter> meters) {
  std::vector<std::int64_t> peaks;
  peaks.reserve(meters.size());
  for (const RankMeter& meter : meters) peaks.push_back(meter.temporary_bytes);
  return peaks;
}

std::vector<Message> take_messages(std::span<RankMeter> meters) {
  std::vector<RecordedMessage> all;
  for (RankMeter& meter : meters) {
    std::move(meter.messages.begin(), meter.messages.end(), std::back_inserter(all));
    meter.messages.clear();
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.order < b.order; });
  std::vector<Message> messages;
  messages.reserve(all.size());
  for (RecordedMessage& recorded : all) messages.push_back(std::move(recorded.message));
  return messages;
}

std::vector<std::uint64_t> elements_of(std::span<const std::byte> payload, Dtype dtype) {
  const auto width = static_cast<std::size_t>(info(dtype).bytes);
  SHARDCHECK_REQUIRE(payload.size() % width == 0, "a message holds whole elements");
  std::vector<std::uint64_t> elements(payload.size() / width);
  for (std::size_t index = 0; index < elements.size(); ++index) {
    elements[index] = load(payload, dtype, static_cast<std::int64_t>(index));
  }
  return elements;
}

}  // namespace shardcheck::impl
