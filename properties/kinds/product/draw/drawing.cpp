#include <shardcheck/properties/generate/drawing.h>

#include <utility>

#include <shardcheck/model/plan/rules.h>

#include <shardcheck/properties/kinds/product/shrink/reductions.h>
#include "product.h"
#include "tally.h"

namespace shardcheck {
namespace {

using Reduce = void (*)(const ProductCase&, std::vector<ProductCase>&);

const ProductCase& product(const Case& subject) { return std::get<ProductCase>(subject); }

void append(std::vector<ProductCase> products, std::vector<Case>& candidates) {
  for (ProductCase& one : products) candidates.emplace_back(std::move(one));
}

void reduce_sizes_of(const Case& subject, std::vector<Case>& candidates) {
  std::vector<ProductCase> products;
  for (const Reduce reduce :
       {Reduce{&reduce_mesh}, Reduce{&reduce_sizes}, Reduce{&reduce_layouts}}) {
    reduce(product(subject), products);
  }
  append(std::move(products), candidates);
}

void reduce_choices_of(const Case& subject, std::vector<Case>& candidates) {
  std::vector<ProductCase> products;
  reduce_choices(product(subject), products);
  append(std::move(products), candidates);
}

void reduce_timidly(const Case& subject, const std::vector<Case>& bold,
                    std::vector<Case>& candidates) {
  std::vector<ProductCase> products;
  pin_plans(product(subject), bold, products);
  reduce_sizes_and_values(product(subject), products);
  append(std::move(products), candidates);
}

}  // namespace

const Drawing product_drawing{
    .kind = Kind::product,
    .plural = "products",
    .prefix = "",
    .own_keys = product_keys,
    .contradiction = [](const Scopes& scopes) { return contradiction(*scopes.products); },
    .draw_once = [](Entropy& entropy, const Scopes& scopes) -> Case {
      return draw_product(entropy, *scopes.products);
    },
    .is_met = [](const Scopes& scopes,
                 const Case& subject) { return is_met(*scopes.products, product(subject)); },
    .count_own = [](Tally& tally, const Case& subject,
                    const Verdict& verdict) { count_own(tally, product(subject), verdict); },
    .goals = product_goals,
    .reduce_sizes = reduce_sizes_of,
    .reduce_choices = reduce_choices_of,
    .reduce_timidly = reduce_timidly,
    .is_legal = [](const Case& subject) { return model::resolve(product(subject)).has_value(); },
    .value_count =
        [](const Case& subject) {
          return product(subject).i * product(subject).k + product(subject).k * product(subject).j;
        },
    .with_values_given = [](const Case& subject) -> Case {
      return with_values_given(product(subject));
    },
    .plainer_dtypes = plainer_dtypes,
    .measure_own = [](const Case& subject) { return measure_own(product(subject)); }};

}  // namespace shardcheck
