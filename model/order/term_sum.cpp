#include "term_sum.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace shardcheck::model {

TermSum sum_of(std::span<const Term> terms) {
  const auto is_finite = [](const Term& term) {
    return std::isfinite(term.a) && std::isfinite(term.b);
  };
  TermSum sum;
  if (std::all_of(terms.begin(), terms.end(), is_finite)) {
    sum.finite = dot(terms);
    return sum;
  }
  std::vector<Term> finite;
  for (const Term& term : terms) {
    if (is_finite(term)) {
      finite.push_back(term);
      continue;
    }
    // What IEEE 754 says of NaN and infinity, in double as anywhere: 0 · infinity is NaN.
    const double product = term.a * term.b;
    if (std::isnan(product)) sum.nan = true;
    if (product > 0) sum.positive_infinity = true;
    if (product < 0) sum.negative_infinity = true;
  }
  sum.finite = dot(finite);
  return sum;
}

}  // namespace shardcheck::model
