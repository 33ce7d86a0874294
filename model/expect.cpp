#include "expect.h"

#include <variant>

#include "calls/expectation.h"
#include "product/expectation.h"

namespace shardcheck::model {

namespace {

using Expected = tl::expected<std::unique_ptr<Expectation>, std::string>;

template <typename Of>
Expected widened(tl::expected<std::unique_ptr<Of>, std::string> expected) {
  if (!expected) return tl::unexpected<std::string>(std::move(expected.error()));
  return *std::move(expected);
}

Expected expect_kind(const ProductCase& subject, const Promises& promises) {
  return widened(expect_product(subject, promises));
}

Expected expect_kind(const CallsCase& subject, const Promises& promises) {
  return widened(expect_calls(subject, promises));
}

}  // namespace

Expected expect(const Case& subject, const Promises& promises) {
  return std::visit([&](const auto& one) { return expect_kind(one, promises); }, subject);
}

}  // namespace shardcheck::model
