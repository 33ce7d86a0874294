#include "unwoven.h"

#include <shardcheck/model/plan/woven_steps.h>

namespace shardcheck {

Plan unwoven(const Plan& plan) {
  Plan steps;
  for (const Step& step : plan) {
    const Plan plain = model::stands_for(step);
    steps.insert(steps.end(), plain.begin(), plain.end());
  }
  return steps;
}

}  // namespace shardcheck
