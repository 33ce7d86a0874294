// libFuzzer's mutator for targets whose inputs are cases of either kind: parse, change a part,
// print. Text that doesn't parse is left to the engine's own mutations, which the dictionary helps.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <shardcheck/fuzz/mutate/mutate.h>

#include "case_input.h"

/// The engine's own mutation, in place.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Nothing (0) if there is no room: half a case is none.
std::size_t write(const shardcheck::Case& subject, std::uint8_t* out, std::size_t max_size) {
  const std::string text = shardcheck::fuzz::write_case(subject);
  if (text.size() > max_size) return 0;
  std::copy(text.begin(), text.end(), out);
  return text.size();
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  const auto subject = shardcheck::fuzz::read_case(text_of(data, size));
  if (!subject) return LLVMFuzzerMutate(data, size, max_size);
  shardcheck::SeededEntropy entropy(seed);
  const std::size_t written = write(shardcheck::fuzz::mutate(*subject, entropy), data, max_size);
  return written > 0 ? written : size;
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                                 const std::uint8_t* second,
                                                 std::size_t second_size, std::uint8_t* out,
                                                 std::size_t max_out_size, unsigned int seed) {
  const auto one = shardcheck::fuzz::read_case(text_of(first, first_size));
  const auto other = shardcheck::fuzz::read_case(text_of(second, second_size));
  if (!one || !other) return 0;
  if (kind_of(*one) != kind_of(*other)) return 0;
  shardcheck::SeededEntropy entropy(seed);
  return write(shardcheck::fuzz::cross(*one, *other, entropy), out, max_out_size);
}
