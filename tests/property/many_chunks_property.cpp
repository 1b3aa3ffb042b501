#include <gtest/gtest.h>

#include <string>

#include "base/rng.h"
#include "pipeline/outputs.h"
#include "strategy/registry.h"
#include "support/runs.h"
#include "support/sanitized.h"
#include "support/strategy_data.h"

// Threads share out loops in chunks of up to 16,384 items, and what has one chunk runs on one thread. Here
// are several of the largest, full of ties whose ends lie in different chunks.
namespace pith {
namespace {

using testing::items_of;
using testing::StrategyData;
using testing::with_threads;

constexpr std::size_t items = testing::sanitized ? 20'000 : 35'000;

/// Rows of small integers, three items to each, and the graph of them.
const StrategyData& large_data() {
  static const StrategyData data = [] {
    StrategyData made(5, items, items);
    made.input.labelled.resize(40);  // k-center and others look at all pairs with these
    made.dimension = 6;
    Rng rng(5);
    std::vector<float> rows(items * made.dimension);
    for (float& value : rows) value = static_cast<float>(rng.below(5)) - 2;
    made.use_rows(std::move(rows));
    made.input.graph = build_graph(made.input.embeddings, {}, with_threads(2));
    return made;
  }();
  return data;
}

void expect_same_with_three_threads(const SelectInput& input, const SelectOptions& options) {
  const Selection one = select(input, options, with_threads(1));
  ASSERT_EQ(one.picks.size(), static_cast<std::size_t>(std::get<std::int64_t>(options.budget.amount)));
  const Selection three = select(input, options, with_threads(3));
  ASSERT_EQ(items_of(three), items_of(one));
  // Every number of every pick.
  ASSERT_EQ(selection_csv(three, {}, with_threads(3)), selection_csv(one, {}, with_threads(1)));
  ASSERT_EQ(three.objective.total, one.objective.total);
  ASSERT_EQ(three.certificate.upper_bound, one.certificate.upper_bound);
  ASSERT_EQ(three.represented, one.represented);
}

TEST(many_chunks, every_strategy_chooses_the_same_with_one_thread_and_with_three) {
  for (const Strategy& strategy : strategies()) {
    SCOPED_TRACE(std::string(strategy.name));
    SelectOptions options;
    options.strategy = strategy.name;
    options.budget.amount = std::int64_t{100};
    options.seed = 3;
    expect_same_with_three_threads(large_data().input, options);
  }
}

/// More picks than one chunk of selection.csv has lines.
TEST(many_chunks, every_optimizer_finds_the_same_with_one_thread_and_with_three) {
  for (const Optimizer optimizer :
       {Optimizer::lazy, Optimizer::naive, Optimizer::stochastic, Optimizer::threshold}) {
    SCOPED_TRACE(static_cast<int>(optimizer));
    SelectOptions options;
    options.budget.amount = optimizer == Optimizer::naive ? std::int64_t{100} : std::int64_t{9'000};
    options.greedy.optimizer = optimizer;
    expect_same_with_three_threads(large_data().input, options);
  }
}

TEST(many_chunks, exact_areas_and_cliques_of_four_are_the_same_with_one_thread_and_with_three) {
  for (const unsigned clique_size : {3U, 4U}) {
    SCOPED_TRACE(clique_size);
    SelectOptions options;
    options.budget.amount = std::int64_t{100};
    options.objective.clique_size = clique_size;
    if (clique_size == 3) options.objective.areas = Areas::exact;
    expect_same_with_three_threads(large_data().input, options);
  }
}

/// All rows alike: whoever takes the best of all items meets the same value in every chunk.
TEST(many_chunks, ties_go_to_the_lowest_item_of_all_chunks) {
  StrategyData data(5, items, items);
  data.use_rows(std::vector<float>(items * data.dimension, 0.5F));
  data.input.labelled.clear();
  data.input.excluded = {0, 2};
  for (const char* strategy : {"herding", "mmd", "max-sum", "max-min", "k-center"}) {
    SCOPED_TRACE(strategy);
    SelectOptions options;
    options.strategy = strategy;
    options.measure = false;
    options.budget.amount = std::int64_t{4};
    ASSERT_EQ(items_of(select(data.input, options, with_threads(3))), (std::vector<Item>{1, 3, 4, 5}));
  }
}

}  // namespace
}  // namespace pith
