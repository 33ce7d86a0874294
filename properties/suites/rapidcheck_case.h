#pragma once

/// Our generator and our shrinker in RapidCheck's hands: it brings the loop, the seed and the
/// report, and a counterexample is smaller by our measure, not by its own.
///
///     RC_GTEST_PROP(Matmul, EveryCasePasses, ()) { const Case subject = *arbitrary_case(); ... }

#include <ostream>
#include <utility>
#include <vector>

#include <rapidcheck.h>

#include <shardcheck/model/case/product_case.h>
#include <shardcheck/model/case/text.h>
#include <shardcheck/properties/generate/shrink.h>
#include <shardcheck/properties/kinds/product/draw/product.h>

namespace shardcheck {

/// Found by RapidCheck by its argument's namespace: a counterexample is printed as a case line.
inline void showValue(const ProductCase& subject, std::ostream& stream) {
  stream << print(subject);
}

/// RapidCheck's size has no say: small cases are common by the generator's own weights.
inline rc::Gen<ProductCase> arbitrary_case(const ProductScope& scope = {}) {
  return [scope](const rc::Random& random, int) {
    rc::Random source = random;
    SeededEntropy entropy(source.next());
    return rc::shrinkable::shrinkRecur(generate_product(entropy, scope), [](const ProductCase& of) {
      std::vector<ProductCase> products;
      for (Case& one : smaller(of)) products.push_back(std::get<ProductCase>(std::move(one)));
      return rc::seq::fromContainer(std::move(products));
    });
  };
}

}  // namespace shardcheck
