#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "graph/triangles.h"
#include "objective/objective.h"
#include "pith/pith.h"
#include "strategy/greedy.h"

namespace pith {
namespace {

/// The two datasets worked out by a slow reference: caps, picks in order, gains and objective.
class Golden : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void SetUp() override {
    folder_ = std::string(PITH_SOURCE_DIR) + "/tests/golden/data/" + std::get<0>(GetParam()) + "/";
    std::ifstream(folder_ + "expected.json") >> expected_;
    input_.embeddings = read_matrix(folder_ + "embeddings.npy");
    input_.predictions = read_predictions(read_matrix(folder_ + "probs.npy"), false, UncertaintyKind::margin);
  }

  [[nodiscard]] const nlohmann::json& golden_case() const {
    return expected_["cases"][std::get<1>(GetParam())];
  }

  [[nodiscard]] SelectOptions options() const {
    SelectOptions options;
    options.strategy = std::get<1>(GetParam()) == "submod" ? "submod" : "submod-bal";
    options.budget.amount = expected_["budget"].get<std::int64_t>();
    options.graph.neighbors = expected_["neighbors"].get<std::uint32_t>();
    options.objective.gamma = expected_["gamma"].get<double>();
    options.objective.eta = expected_["eta"].get<double>();
    options.objective.lambda = golden_case()["lam"].get<std::array<double, 3>>();
    options.objective.area_quantile = expected_["area_quantile"].get<double>();
    options.balance.balance = golden_case()["balance"] == "both" ? BalanceKind::both : BalanceKind::none;
    if (golden_case()["boundary_cap"] == "proportional") options.balance.boundary_cap = ProportionalCap{};
    options.balance.tau = expected_["tau"];
    options.balance.boundary_slack = expected_["boundary_slack"];
    options.balance.shortfall = Shortfall::stop;
    return options;
  }

  std::string folder_;
  nlohmann::json expected_;
  SelectInput input_;
};

TEST_P(Golden, predictions_and_graph) {
  const auto labels = expected_["labels"].get<std::vector<std::uint32_t>>();
  const auto margins = expected_["margin"].get<std::vector<double>>();
  EXPECT_EQ(input_.predictions.best, labels);
  for (std::size_t item = 0; item < margins.size(); ++item)
    EXPECT_NEAR(input_.predictions.margin[item], margins[item], 1e-6);
  const Selection selection = select(input_, options());
  EXPECT_EQ(selection.edges, expected_["edges"].get<std::uint64_t>());
  EXPECT_EQ(selection.triangles, expected_["triangles"].get<std::uint64_t>());
  EXPECT_NEAR(selection.area_threshold, expected_["area_threshold"].get<double>(), 1e-7);
  EXPECT_NEAR(selection.largest_weighted_degree, expected_["max_weighted_degree"].get<double>(), 1e-6);
}

TEST_P(Golden, picks_gains_and_objective) {
  const Selection selection = select(input_, options());
  const auto order = golden_case()["order"].get<std::vector<Item>>();
  const auto gains = golden_case()["gains"].get<std::vector<double>>();
  EXPECT_GE(selection.feasible_size, static_cast<std::int64_t>(order.size()));
  // The reference is the greedy alone. Without augmentation the picks are its picks; with it, those not
  // swapped out still come first and in its order.
  std::vector<Item> greedy;
  for (const PickRow& row : selection.picks)
    if (!row.augmented) greedy.push_back(row.item);
  if (selection.augmented == 0) {
    ASSERT_EQ(greedy, order);
    for (std::size_t at = 0; at < gains.size(); ++at) EXPECT_NEAR(selection.picks[at].gain, gains[at], 2e-6);
    EXPECT_NEAR(selection.objective.total, golden_case()["objective"].get<double>(), 1e-5);
  } else {
    EXPECT_GT(selection.picks.size(), order.size());
    auto at = order.begin();
    for (const Item item : greedy) {
      at = std::find(at, order.end(), item);
      ASSERT_NE(at, order.end()) << "pick " << item << " is not in the reference's order";
    }
  }
}

/// Where select() goes on from the greedy by augmentation, too.
TEST_P(Golden, triangles_and_the_greedy_alone) {
  const SelectOptions chosen = options();
  const Graph graph = build_graph(input_.embeddings, chosen.graph);
  const AreaRule rule{.threshold = {}, .quantile = chosen.objective.area_quantile};
  const Triangles triangles = find_triangles(graph, rule, {});
  EXPECT_EQ(*std::max_element(triangles.at_item.begin(), triangles.at_item.end()),
            expected_["max_triangles_at_an_item"].get<double>());
  const pith::Run run;
  const Objective objective = make_objective({.predictions = input_.predictions,
                                              .graph = graph,
                                              .triangles = triangles,
                                              .scores = {},
                                              .embeddings = nullptr,
                                              .memory_bytes = {},
                                              .options = chosen.objective,
                                              .run = run});
  const auto budget = expected_["budget"].get<std::int64_t>();
  const Pool pool = Pool::of_all(graph.size());
  const Balance balance =
      make_balance(input_.predictions, pool, budget, chosen.balance.balance.value(), chosen.balance);
  ObjectiveOracle oracle(objective, graph);
  std::vector<Item> items;
  std::vector<double> gains;
  for (const Pick& pick : run_greedy(oracle, balance, pool, budget, run)) {
    items.push_back(pick.item);
    gains.push_back(pick.score);
  }
  ASSERT_EQ(items, golden_case()["order"].get<std::vector<Item>>());
  const auto expected = golden_case()["gains"].get<std::vector<double>>();
  for (std::size_t at = 0; at < gains.size(); ++at) EXPECT_NEAR(gains[at], expected[at], 2e-6);
  EXPECT_NEAR(objective.value(items), golden_case()["objective"].get<double>(), 1e-5);
}

TEST_P(Golden, caps) {
  const Selection selection = select(input_, options());
  if (golden_case()["class_caps"].is_null()) {
    EXPECT_FALSE(selection.class_caps_active);
    EXPECT_FALSE(selection.boundary_caps_active);
    return;
  }
  std::vector<std::int64_t> class_caps;
  for (const GroupRow& row : selection.class_groups) class_caps.push_back(row.cap);
  EXPECT_EQ(class_caps, golden_case()["class_caps"].get<std::vector<std::int64_t>>());
  std::map<std::string, std::int64_t> boundary_caps;
  for (const GroupRow& row : selection.boundaries)
    boundary_caps[std::to_string(row.first) + "," + std::to_string(row.second)] = row.cap;
  EXPECT_EQ(boundary_caps, (golden_case()["boundary_caps"].get<std::map<std::string, std::int64_t>>()));
}

INSTANTIATE_TEST_SUITE_P(cases, Golden,
                         ::testing::Combine(::testing::Values("balanced", "long-tailed"),
                                            ::testing::Values("both-uniform", "both-proportional", "none",
                                                              "submod")),
                         [](const auto& test) {
                           std::string name = std::get<0>(test.param) + "_" + std::get<1>(test.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace pith
