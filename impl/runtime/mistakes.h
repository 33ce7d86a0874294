#pragma once

/// Mistakes of a rank program, as the cause of the ending `threw`; the same words in both runtimes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <shardcheck/model/case/dtype.h>

#include "wait_graph.h"

namespace shardcheck::impl {

/// Why an operation can't be started, if it can't. `outstanding` counts it already.
std::optional<std::string> mistake_in_start(const OperationName& operation, std::size_t bytes,
                                            Dtype dtype, std::int64_t rank_count,
                                            std::int64_t outstanding);

std::string wrong_length(const OperationName& receive, std::size_t bytes_expected,
                         std::size_t bytes_sent);
std::string never_awaited(const OperationName& operation);
std::string not_pending(std::int64_t rank);

/// For a catch (...) handler: what the exception says. As much of it as there is memory for.
std::string current_exception_text() noexcept;

/// The cause where there was no memory. Short enough to need none itself.
inline std::string out_of_memory() noexcept { return "out of memory"; }

}  // namespace shardcheck::impl
