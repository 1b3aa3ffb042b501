#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "support/runs.h"
#include "support/strategy_data.h"

// What can be switched on beside a strategy, for any number of threads: optimizers, costs, cliques of four,
// exact areas, several boundaries an item, all pairs.
namespace pith {
namespace {

using testing::items_of;
using testing::StrategyData;
using testing::with_threads;

struct Variant {
  std::string name;
  std::function<void(SelectInput&, SelectOptions&)> set;
};

void use_costs(SelectInput& input, SelectOptions& options) {
  for (Item item = 0; item < input.predictions.size(); ++item) input.costs.push_back(1 + item % 4);
  options.cost_budget = static_cast<double>(input.predictions.size()) / 3 + 4;
  options.balance.balance = BalanceKind::none;
}

std::vector<Variant> variants() {
  return {
      {"naive", [](SelectInput&, SelectOptions& o) { o.greedy.optimizer = Optimizer::naive; }},
      {"stochastic", [](SelectInput&, SelectOptions& o) { o.greedy.optimizer = Optimizer::stochastic; }},
      {"threshold", [](SelectInput&, SelectOptions& o) { o.greedy.optimizer = Optimizer::threshold; }},
      {"costs", use_costs},
      {"cliques of four", [](SelectInput&, SelectOptions& o) { o.objective.clique_size = 4; }},
      {"exact areas", [](SelectInput&, SelectOptions& o) { o.objective.areas = Areas::exact; }},
      {"boundaries",
       [](SelectInput& input, SelectOptions& o) {
         o.balance.boundaries_per_item = 3;
         input.predictions =
             read_predictions(input.probabilities, UncertaintyKind::margin, with_threads(2), 3);
       }},
      {"mixture of all terms",
       [](SelectInput& input, SelectOptions& o) {
         input.scores.assign(input.predictions.size(), 0.25);
         o.objective.terms = {{"uncertainty", 0.5},     {"diversity", 0.3}, {"triples", 1}, {"quads", 0.5},
                              {"facility-location", 1}, {"graph-cut", 0.1}, {"scores", 2}};
       }},
      {"all pairs",
       [](SelectInput&, SelectOptions& o) {
         o.strategy = "facility-location";
         o.objective.facility = Facility::dense;
       }},
  };
}

TEST(all_options_property, same_picks_gains_and_certificate_for_any_thread_count) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const Variant& variant : variants()) {
      SCOPED_TRACE(variant.name + " " + std::to_string(seed));
      StrategyData data(seed, seed % 4 == 0 ? 400 : 60);
      SelectOptions options;
      options.budget.amount = static_cast<std::int64_t>(1 + data.candidates() / 3);
      options.seed = seed;
      options.graph.metric = static_cast<Metric>(seed % 3);
      options.balance.balance = static_cast<BalanceKind>(seed / 3 % 4);
      variant.set(data.input, options);
      const Selection one = select(data.input, options, with_threads(1));
      ASSERT_FALSE(one.picks.empty());
      for (const unsigned threads : {2U, 4U}) {
        const Selection many = select(data.input, options, with_threads(threads));
        ASSERT_EQ(items_of(many), items_of(one)) << threads;
        for (std::size_t rank = 0; rank < one.picks.size(); ++rank) {
          ASSERT_EQ(many.picks[rank].gain, one.picks[rank].gain) << threads;
          ASSERT_EQ(many.picks[rank].score, one.picks[rank].score) << threads;
        }
        ASSERT_EQ(many.objective.total, one.objective.total) << threads;
        ASSERT_EQ(many.certificate.upper_bound, one.certificate.upper_bound) << threads;
      }
    }
}

}  // namespace
}  // namespace pith
