#include "expect.h"

#include <algorithm>
#include <optional>

namespace shardcheck::model {

CollectiveExpectation::CollectiveExpectation(const CollectiveCase& of)
    : subject(of),
      meaning(of),
      sent(ledger(of, meaning)),
      temporary_bytes_max(model::temporary_bytes_max(of, meaning, sent)),
      values(of, meaning),
      vacuity(model::vacuity(of, meaning, values)) {}

std::int64_t CollectiveExpectation::input_elements(std::int64_t rank) const {
  return static_cast<std::int64_t>(meaning.input(meaning.member_of(rank)).size());
}

std::int64_t CollectiveExpectation::input_begin(std::int64_t rank) const {
  if (subject.calls.front().collective != Collective::all_gather) return 0;
  std::int64_t begin = 0;
  for (std::int64_t member = 0; member < meaning.member_of(rank); ++member) {
    begin += static_cast<std::int64_t>(meaning.block(member).size());
  }
  return begin;
}

std::int64_t CollectiveExpectation::output_room() const {
  std::int64_t room = subject.n;
  for (std::int64_t member = 0; member < meaning.member_count(); ++member) {
    room = std::max(room, static_cast<std::int64_t>(meaning.owned(member).size()));
  }
  return room;
}

tl::expected<std::unique_ptr<CollectiveExpectation>, std::string> expect(
    const CollectiveCase& subject) {
  const std::optional<std::string> why = refusal(subject);
  if (why) return tl::unexpected<std::string>(*why);
  return std::make_unique<CollectiveExpectation>(subject);
}

}  // namespace shardcheck::model
